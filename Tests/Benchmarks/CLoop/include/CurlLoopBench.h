/// The limit that the library is measured against: the shortest program over libcurl that moves the same bytes.
#ifndef CURL_LOOP_BENCH_H
#define CURL_LOOP_BENCH_H

#include <stdint.h>

struct curl_loop_job {
    /// One URL for each request.
    const char *_Nullable const *_Nonnull urls;
    int requests;
    int concurrency;
    /// The folder for the content, in files named by their number; NULL discards the content.
    const char *_Nullable folder;
};

struct curl_loop_result {
    /// Bytes of content.
    int64_t bytes;
    /// How many requests ended otherwise than with a status of 2xx and all of their content.
    int failures;
};

/// Runs the job in the calling thread; returns 0, or -1 where libcurl cannot be loaded or memory is short.
int curl_loop_run(const struct curl_loop_job *_Nonnull job, struct curl_loop_result *_Nonnull result);

/// Bytes of memory that the program has allocated and not freed; -1 where that is not known.
int64_t heap_bytes_in_use(void);

#endif
