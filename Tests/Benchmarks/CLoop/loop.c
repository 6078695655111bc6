#include "CurlLoopBench.h"

#include <CCurl.h>

#if CCURL_IS_SUPPORTED

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024, POLL_MILLISECONDS = 1000 };

struct transfer {
    void *easy;
    int64_t bytes;
    int descriptor;
};

struct loop {
    const struct curl_loop_job *job;
    struct curl_loop_result *result;
    void *multi;
    int next;
};

static size_t discard(char *data, size_t size, size_t count, void *context) {
    (void)data;
    struct transfer *transfer = context;
    transfer->bytes += (int64_t)(size * count);
    return size * count;
}

static size_t save(char *data, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t left = size * count;
    while (left > 0) {
        const ssize_t written = write(transfer->descriptor, data, left);
        if (written < 0) return 0;
        data += written;
        left -= (size_t)written;
        transfer->bytes += written;
    }
    return size * count;
}

// What a handle keeps from one transfer to the next.
static void set_up(const struct loop *loop, struct transfer *transfer) {
    void *easy = transfer->easy;
    ccurl_easy_set_long(easy, CCURLOPT_NOSIGNAL, 1);
    ccurl_easy_set_pointer(easy, CCURLOPT_PRIVATE, transfer);
    ccurl_easy_set_long(easy, CCURLOPT_BUFFERSIZE, BUFFER_SIZE);
    ccurl_easy_set_pointer(easy, CCURLOPT_WRITEDATA, transfer);
    ccurl_easy_set_data_callback(easy, CCURLOPT_WRITEFUNCTION, loop->job->folder == NULL ? discard : save);
}

static int open_file(const struct loop *loop, int number) {
    if (loop->job->folder == NULL) return -1;
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", loop->job->folder, number);
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

static int start_next(struct loop *loop, struct transfer *transfer) {
    if (loop->next == loop->job->requests) return 0;
    const int number = loop->next++;
    transfer->bytes = 0;
    transfer->descriptor = open_file(loop, number);
    ccurl_easy_set_string(transfer->easy, CCURLOPT_URL, loop->job->urls[number]);
    if (ccurl_multi_add_handle(loop->multi, transfer->easy) == 0) return 1;
    loop->result->failures++;
    return 0;
}

static void finish(struct loop *loop, struct transfer *transfer, int code) {
    long status = 0;
    ccurl_easy_get_long(transfer->easy, CCURLINFO_RESPONSE_CODE, &status);
    if (code != 0 || status / 100 != 2) loop->result->failures++;
    loop->result->bytes += transfer->bytes;
    if (transfer->descriptor >= 0 && close(transfer->descriptor) != 0) loop->result->failures++;
    ccurl_multi_remove_handle(loop->multi, transfer->easy);
}

static void run(struct loop *loop, int live) {
    while (live > 0) {
        int running = 0, code = 0, has_finished_any = 0;
        ccurl_multi_perform(loop->multi, &running);
        void *easy;
        while ((easy = ccurl_multi_next_finished(loop->multi, &code)) != NULL) {
            void *context = NULL;
            ccurl_easy_get_pointer(easy, CCURLINFO_PRIVATE, &context);
            finish(loop, context, code);
            has_finished_any = 1;
            if (!start_next(loop, context)) live--;
        }
        if (!has_finished_any) ccurl_multi_poll(loop->multi, POLL_MILLISECONDS, NULL);
    }
}

int curl_loop_run(const struct curl_loop_job *job, struct curl_loop_result *result) {
    *result = (struct curl_loop_result){0, 0};
    if (!ccurl_load() || !ccurl_initialize()) return -1;
    struct loop loop = {.job = job, .result = result, .multi = ccurl_multi_init()};
    struct transfer *transfers = calloc((size_t)job->concurrency, sizeof *transfers);
    if (loop.multi == NULL || transfers == NULL) return -1;
    int live = 0;
    for (int i = 0; i < job->concurrency; i++) {
        transfers[i].easy = ccurl_easy_init();
        if (transfers[i].easy == NULL) return -1;
        set_up(&loop, &transfers[i]);
        live += start_next(&loop, &transfers[i]);
    }
    run(&loop, live);
    for (int i = 0; i < job->concurrency; i++) ccurl_easy_cleanup(transfers[i].easy);
    ccurl_multi_cleanup(loop.multi);
    free(transfers);
    return 0;
}

#else

int curl_loop_run(const struct curl_loop_job *job, struct curl_loop_result *result) {
    (void)job;
    *result = (struct curl_loop_result){0, 0};
    return -1;
}

#endif
