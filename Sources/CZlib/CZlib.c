#include "CZlib.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <dlfcn.h>
#include <pthread.h>
#endif

// zlib's public structure.
struct z_stream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

struct functions {
    int (*init)(struct z_stream *, int, const char *, int);
    int (*inflate)(struct z_stream *, int);
    int (*reset)(struct z_stream *);
    int (*end)(struct z_stream *);
};

#if defined(__linux__)

// Written once, before any use.
static struct functions zlib;
static bool is_loaded;

static void load(void) {
    // Never closed: decoders may live until the process ends.
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    const struct {
        const char *name;
        void *entry;
    } entries[] = {
        {"inflateInit2_", &zlib.init},
        {"inflate", &zlib.inflate},
        {"inflateReset", &zlib.reset},
        {"inflateEnd", &zlib.end},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        void *symbol = dlsym(library, entries[i].name);
        if (symbol == NULL) return;
        memcpy(entries[i].entry, &symbol, sizeof symbol);
    }
    is_loaded = true;
}

bool czlib_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

#else

extern int inflateInit2_(struct z_stream *, int, const char *, int);
extern int inflate(struct z_stream *, int);
extern int inflateReset(struct z_stream *);
extern int inflateEnd(struct z_stream *);

static const struct functions zlib = {
    .init = inflateInit2_,
    .inflate = inflate,
    .reset = inflateReset,
    .end = inflateEnd,
};

bool czlib_load(void) { return true; }

#endif

void *czlib_open(enum czlib_format format) {
    if (!czlib_load()) return NULL;
    struct z_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) return NULL;
    // zlib compares only the first digit of the version.
    if (zlib.init(stream, format, "1", (int)sizeof *stream) == 0) return stream;
    free(stream);
    return NULL;
}

void czlib_close(void *decoder) {
    zlib.end(decoder);
    free(decoder);
}

bool czlib_reset(void *decoder) { return zlib.reset(decoder) == 0; }

enum czlib_status czlib_inflate(
    void *decoder, const void *input, size_t *input_count, void *output, size_t *output_count) {
    const int no_flush = 0, ok = 0, stream_end = 1, buffer_error = -5;
    struct z_stream *stream = decoder;
    const size_t input_excess = *input_count > UINT_MAX ? *input_count - UINT_MAX : 0;
    const size_t output_excess = *output_count > UINT_MAX ? *output_count - UINT_MAX : 0;
    stream->next_in = input;
    stream->avail_in = (unsigned int)(*input_count - input_excess);
    stream->next_out = output;
    stream->avail_out = (unsigned int)(*output_count - output_excess);
    const int code = zlib.inflate(stream, no_flush);
    *input_count = stream->avail_in + input_excess;
    *output_count = stream->avail_out + output_excess;
    if (code == stream_end) return CZLIB_END;
    return code == ok || code == buffer_error ? CZLIB_MORE : CZLIB_DAMAGED;
}
