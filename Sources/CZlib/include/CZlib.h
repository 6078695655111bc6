/// Decompression by the system's zlib.
///
/// On Linux, nearly every machine has the shared library, but not its headers. It is therefore loaded at run time,
/// through an ABI that has been frozen since 1995. Elsewhere it is linked.
#ifndef CZLIB_H
#define CZLIB_H

#include <stdbool.h>
#include <stddef.h>

/// Loads zlib once per process; returns whether it is available.
bool czlib_load(void);

/// The container format of the compressed data, as zlib's window bits.
enum czlib_format {
    CZLIB_RAW = -15,
    CZLIB_ZLIB = 15,
    CZLIB_GZIP = 31,
};

enum czlib_status {
    /// The input is consumed, or the output is full.
    CZLIB_MORE,
    /// The stream, or this member of it, has ended.
    CZLIB_END,
    /// The input is damaged, or memory is exhausted.
    CZLIB_DAMAGED,
};

/// Creates a decoder; returns `NULL` if zlib is missing or memory is exhausted.
void *_Nullable czlib_open(enum czlib_format format);
void czlib_close(void *_Nonnull decoder);
/// Resets the decoder for another stream of its format; returns whether it succeeded.
bool czlib_reset(void *_Nonnull decoder);
/// Decodes as much as input and output space allow. Both counts are the available bytes before the call and the
/// remaining bytes after it.
enum czlib_status czlib_inflate(
    void *_Nonnull decoder, const void *_Nullable input, size_t *_Nonnull input_count, void *_Nonnull output,
    size_t *_Nonnull output_count);

#endif
