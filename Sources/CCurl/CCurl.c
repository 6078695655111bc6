#define _GNU_SOURCE
#include "CCurl.h"

#if CCURL_IS_SUPPORTED

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

// Mirrors of libcurl's public structures, limited to the fields read here.
struct curl_message {
    int message;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

struct curl_version_info {
    int age;
    const char *version;
    unsigned int version_number;
    const char *host;
    int features;
    const char *ssl_version;
};

static struct {
    int (*global_init)(long);
    struct curl_version_info *(*version_info)(int);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    void (*easy_reset)(void *);
    int (*easy_pause)(void *, int);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    const char *(*easy_strerror)(int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*url_init)(void);
    void (*url_cleanup)(void *);
    int (*url_set)(void *, int, const char *, unsigned int);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    int (*multi_wakeup)(void *);
    struct curl_message *(*multi_info_read)(void *, int *);
} curl;

static unsigned int loaded_version;
static int loaded_features;
static const char *tls_library = "";
// OpenSSL's functions, if libcurl uses OpenSSL.
static struct {
    void (*set_info_callback)(void *context, void (*callback)(void *session, int where, int value));
    uint64_t (*clear_options)(void *context, uint64_t options);
    int (*new_index)(int class, long, void *, void *, void *, void *);
    int (*set_data)(void *session, int index, void *data);
    void *(*get_data)(const void *session, int index);
    int index;
    bool is_known;
} openssl;

static bool find(void *library, const char *name, void *entry) {
    void *symbol = dlsym(library, name);
    memcpy(entry, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load(void) {
    // Never closed: the library's threads and connections live until the process ends.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    const struct {
        const char *name;
        void *entry;
    } entries[] = {
        {"curl_global_init", &curl.global_init},
        {"curl_version_info", &curl.version_info},
        {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup},
        {"curl_easy_reset", &curl.easy_reset},
        {"curl_easy_pause", &curl.easy_pause},
        {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_getinfo", &curl.easy_getinfo},
        {"curl_easy_strerror", &curl.easy_strerror},
        {"curl_slist_append", &curl.slist_append},
        {"curl_slist_free_all", &curl.slist_free_all},
        {"curl_url", &curl.url_init},
        {"curl_url_cleanup", &curl.url_cleanup},
        {"curl_url_set", &curl.url_set},
        {"curl_multi_init", &curl.multi_init},
        {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_setopt", &curl.multi_setopt},
        {"curl_multi_add_handle", &curl.multi_add_handle},
        {"curl_multi_remove_handle", &curl.multi_remove_handle},
        {"curl_multi_perform", &curl.multi_perform},
        {"curl_multi_poll", &curl.multi_poll},
        {"curl_multi_wakeup", &curl.multi_wakeup},
        {"curl_multi_info_read", &curl.multi_info_read},
    };
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (!find(library, entries[i].name, entries[i].entry)) return;
    }
    const struct curl_version_info *info = curl.version_info(0);
    // curl_multi_wakeup requires 7.68.
    if (info == NULL || info->version_number < 0x074400) return;
    // Only if the context that libcurl passes is OpenSSL's; other TLS libraries have different structures.
    if (info->ssl_version != NULL && strncmp(info->ssl_version, "OpenSSL/", 8) == 0) {
        const int class_ssl = 0;
        openssl.is_known = find(library, "SSL_CTX_set_info_callback", &openssl.set_info_callback) &&
                           find(library, "SSL_CTX_clear_options", &openssl.clear_options) &&
                           find(library, "CRYPTO_get_ex_new_index", &openssl.new_index) &&
                           find(library, "SSL_set_ex_data", &openssl.set_data) &&
                           find(library, "SSL_get_ex_data", &openssl.get_data) &&
                           (openssl.index = openssl.new_index(class_ssl, 0, NULL, NULL, NULL, NULL)) >= 0;
    }
    loaded_features = info->features;
    if (info->ssl_version != NULL) tls_library = info->ssl_version;
    loaded_version = info->version_number;
}

bool ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return loaded_version != 0;
}

bool ccurl_initialize(void) {
    const long global_all = 3;
    return curl.global_init(global_all) == 0;
}

unsigned int ccurl_version_number(void) { return loaded_version; }
int ccurl_features(void) { return loaded_features; }
const char *ccurl_tls_library(void) { return tls_library; }

void *ccurl_easy_init(void) { return curl.easy_init(); }
void ccurl_easy_cleanup(void *easy) { curl.easy_cleanup(easy); }
void ccurl_easy_reset(void *easy) { curl.easy_reset(easy); }
int ccurl_easy_pause(void *easy, int directions) { return curl.easy_pause(easy, directions); }

int ccurl_easy_set_long(void *easy, enum ccurl_option option, long value) {
    return curl.easy_setopt(easy, (int)option, value);
}
int ccurl_easy_set_offset(void *easy, enum ccurl_option option, int64_t value) {
    return curl.easy_setopt(easy, (int)option, value);
}
int ccurl_easy_set_pointer(void *easy, enum ccurl_option option, const void *value) {
    return curl.easy_setopt(easy, (int)option, value);
}
int ccurl_easy_set_string(void *easy, enum ccurl_option option, const char *value) {
    return curl.easy_setopt(easy, (int)option, value);
}
int ccurl_easy_set_data_callback(void *easy, enum ccurl_option option, ccurl_data_callback value) {
    return curl.easy_setopt(easy, (int)option, value);
}
int ccurl_easy_set_seek_callback(void *easy, ccurl_seek_callback value) {
    return curl.easy_setopt(easy, (int)CCURLOPT_SEEKFUNCTION, value);
}
int ccurl_easy_set_open_callback(void *easy, ccurl_open_callback value) {
    return curl.easy_setopt(easy, (int)CCURLOPT_OPENSOCKETFUNCTION, value);
}
int ccurl_easy_set_close_callback(void *easy, ccurl_close_callback value) {
    return curl.easy_setopt(easy, (int)CCURLOPT_CLOSESOCKETFUNCTION, value);
}
int ccurl_easy_set_prereq_callback(void *easy, ccurl_prereq_callback value) {
    return curl.easy_setopt(easy, (int)CCURLOPT_PREREQFUNCTION, value);
}
int ccurl_easy_set_progress_callback(void *easy, ccurl_progress_callback value) {
    return curl.easy_setopt(easy, (int)CCURLOPT_XFERINFOFUNCTION, value);
}
int ccurl_easy_get_long(void *easy, enum ccurl_info info, long *value) {
    return curl.easy_getinfo(easy, (int)info, value);
}
int ccurl_easy_get_offset(void *easy, enum ccurl_info info, int64_t *value) {
    return curl.easy_getinfo(easy, (int)info, value);
}
int ccurl_easy_get_pointer(void *easy, enum ccurl_info info, void **value) {
    return curl.easy_getinfo(easy, (int)info, value);
}
// Sessions are numbered from their handshake on. An address would be ambiguous: a new session may have it before the
// end of the old one is checked.
static atomic_uintptr_t latest_session;

// The latest sessions of the calling thread whose server has announced their end; the transfer loop checks for an end
// in the same turn in which it reads it. Allocated only on threads that run transfers.
enum { closed_capacity = 4096 };
static _Thread_local uintptr_t *closed_sessions;
static _Thread_local size_t closed_count;

static void follow_session(void *session, int where, int value) {
    const int handshake_done = 0x20, read_alert = 0x4004, description_mask = 0xff, close_notify = 0;
    if (where & handshake_done) {
        // Only after the handshake, because earlier alerts are not authenticated; and only once, because TLS 1.3 sends
        // later messages that count as handshakes.
        if (openssl.get_data(session, openssl.index) == NULL) {
            openssl.set_data(session, openssl.index, (void *)(atomic_fetch_add(&latest_session, 1) + 1));
        }
    } else if (where == read_alert && (value & description_mask) == close_notify && closed_sessions != NULL) {
        const uintptr_t number = (uintptr_t)openssl.get_data(session, openssl.index);
        if (number != 0) closed_sessions[closed_count++ % closed_capacity] = number;
    }
}

static int follow_context(void *easy, void *context, void *unused) {
    (void)easy;
    (void)unused;
    openssl.set_info_callback(context, follow_session);
    // libcurl disables session tickets in TLS 1.2 but lets this callback enable them. Without tickets, a session can be
    // resumed only if the server remembers it.
    const uint64_t no_ticket = 1 << 14;
    openssl.clear_options(context, no_ticket);
    return 0;
}

void ccurl_easy_follow_tls(void *easy) {
    if (!openssl.is_known) return;
    curl.easy_setopt(easy, (int)CCURLOPT_SSL_CTX_FUNCTION, follow_context);
}

uintptr_t ccurl_easy_tls_session(void *easy) {
    struct {
        int backend;
        void *internals;
    } *info = NULL;
    if (!openssl.is_known || closed_sessions == NULL) return 0;
    if (curl.easy_getinfo(easy, (int)CCURLINFO_TLS_SSL_PTR, &info) != 0 || info == NULL || info->internals == NULL) return 0;
    return (uintptr_t)openssl.get_data(info->internals, openssl.index);
}

bool ccurl_tls_session_was_closed(uintptr_t session) {
    const size_t count = closed_count < closed_capacity ? closed_count : closed_capacity;
    for (size_t i = 0; i < count; i++) {
        if (closed_sessions[i] == session) return true;
    }
    return false;
}

const char *ccurl_easy_strerror(int code) { return curl.easy_strerror(code); }

void *ccurl_slist_append(void *list, const char *line) { return curl.slist_append(list, line); }
void ccurl_slist_free_all(void *list) { curl.slist_free_all(list); }

void *ccurl_url_init(void) { return curl.url_init(); }
void ccurl_url_cleanup(void *url) { curl.url_cleanup(url); }
bool ccurl_url_set(void *url, enum ccurl_url_part part, const char *value) {
    return curl.url_set(url, (int)part, value, 0) == 0;
}

void *ccurl_multi_init(void) { return curl.multi_init(); }
int ccurl_multi_cleanup(void *multi) { return curl.multi_cleanup(multi); }
int ccurl_multi_set_long(void *multi, enum ccurl_multi_option option, long value) {
    return curl.multi_setopt(multi, (int)option, value);
}
int ccurl_multi_add_handle(void *multi, void *easy) { return curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove_handle(void *multi, void *easy) { return curl.multi_remove_handle(multi, easy); }
int ccurl_multi_perform(void *multi, int *running) { return curl.multi_perform(multi, running); }
int ccurl_multi_poll(void *multi, int timeout_milliseconds, int *ready) {
    return curl.multi_poll(multi, NULL, 0, timeout_milliseconds, ready);
}
int ccurl_multi_wakeup(void *multi) { return curl.multi_wakeup(multi); }

void *ccurl_multi_next_finished(void *multi, int *code) {
    const int message_done = 1;
    int left;
    struct curl_message *message;
    while ((message = curl.multi_info_read(multi, &left)) != NULL) {
        if (message->message != message_done) continue;
        *code = message->data.result;
        return message->easy;
    }
    return NULL;
}

struct thread_body {
    void (*run)(void *context);
    void *context;
};

static void *enter_thread(void *argument) {
    const struct thread_body body = *(struct thread_body *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), "NetworkQueueKit");
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    closed_sessions = calloc(closed_capacity, sizeof *closed_sessions);
    body.run(body.context);
    free(closed_sessions);
    closed_sessions = NULL;
    return NULL;
}

int ccurl_start_thread(void (*run)(void *context), void *context) {
    struct thread_body *body = malloc(sizeof *body);
    if (body == NULL) return ENOMEM;
    *body = (struct thread_body){run, context};
    pthread_t thread;
    const int code = pthread_create(&thread, NULL, enter_thread, body);
    if (code == 0) pthread_detach(thread);
    else free(body);
    return code;
}

#else

bool ccurl_load(void) { return false; }

#endif
