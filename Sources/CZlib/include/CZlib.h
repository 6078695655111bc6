/// Decompression by the system's zlib.
///
/// On Linux the shared library is on nearly every machine, its headers are not: it is loaded at run time, by an ABI that has
/// been frozen since 1995. Elsewhere it is linked.
#ifndef CZLIB_H
#define CZLIB_H

#include <stdbool.h>
#include <stddef.h>

/// Loads zlib once for the process; returns whether it is there.
bool czlib_load(void);

/// What is around the compressed data, by zlib's numbers.
enum czlib_format {
    CZLIB_RAW = -15,
    CZLIB_ZLIB = 15,
    CZLIB_GZIP = 31,
};

enum czlib_status {
    /// The input is used up or the output is full.
    CZLIB_MORE,
    /// The stream, or this member of it, has ended.
    CZLIB_END,
    /// The input is damaged, or memory is exhausted.
    CZLIB_DAMAGED,
};

/// Makes a decoder; `NULL` when zlib is missing or memory is exhausted.
void *_Nullable czlib_open(enum czlib_format format);
void czlib_close(void *_Nonnull decoder);
/// Makes the decoder ready for another stream of its format; returns whether it could.
bool czlib_reset(void *_Nonnull decoder);
/// Decodes as much as there is input and room for. Both counts say what there is before, and what is left after the call.
enum czlib_status czlib_inflate(
    void *_Nonnull decoder, const void *_Nullable input, size_t *_Nonnull input_count, void *_Nonnull output,
    size_t *_Nonnull output_count);

#endif
