/// The limit that the library is measured against: the shortest program over libcurl that moves the same bytes.
#ifndef CURL_LOOP_BENCH_H
#define CURL_LOOP_BENCH_H

#include <stdint.h>

enum curl_loop_work {
    /// GET, content thrown away.
    CURL_LOOP_DISCARD,
    /// GET, content into a file of its own in `folder`.
    CURL_LOOP_FILE,
    /// HEAD.
    CURL_LOOP_HEAD,
    /// PUT of `upload`.
    CURL_LOOP_UPLOAD,
};

struct curl_loop_job {
    enum curl_loop_work work;
    /// One URL for each request.
    const char *_Nullable const *_Nonnull urls;
    int requests;
    int concurrency;
    /// Where files are written, as their number.
    const char *_Nullable folder;
    /// The file that is sent.
    const char *_Nullable upload;
    /// The file with the certificate to trust in place of the system's authorities.
    const char *_Nullable certificate;
};

struct curl_loop_result {
    /// Bytes of content, in either direction.
    int64_t bytes;
    /// How many requests ended otherwise than with a status of 2xx and all of their content.
    int failures;
};

/// Runs the job in the calling thread; returns 0, or -1 where libcurl cannot be loaded or memory is short.
int curl_loop_run(const struct curl_loop_job *_Nonnull job, struct curl_loop_result *_Nonnull result);

/// Bytes of memory that the program has allocated and not freed; -1 where that is not known.
int64_t heap_bytes_in_use(void);

#endif
