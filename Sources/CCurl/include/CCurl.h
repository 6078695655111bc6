/// The part of libcurl that the library uses, loaded at run time.
///
/// Every machine that runs Swift on Linux has the shared library, but not its headers. Its entry points and numbers, an
/// ABI that has been frozen since 2006, are therefore declared here. Only glibc is supported; elsewhere `ccurl_load`
/// returns false.
#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)
#define CCURL_IS_SUPPORTED 1
#else
#define CCURL_IS_SUPPORTED 0
#endif

/// Loads libcurl once per process; returns whether it is available and recent enough (7.68).
bool ccurl_load(void);

#if CCURL_IS_SUPPORTED

/// Initializes libcurl; returns whether it succeeded. Before 7.84, not safe concurrently with initialization by another
/// thread.
bool ccurl_initialize(void);

/// The loaded version as 0xXXYYZZ.
unsigned int ccurl_version_number(void);

/// The features of the loaded library: the bits `CCURL_VERSION_…`.
int ccurl_features(void);

/// The TLS library that libcurl uses, with its version (`OpenSSL/3.0.22`); empty if there is none.
const char *_Nonnull ccurl_tls_library(void);

enum ccurl_option {
    CCURLOPT_WRITEDATA = 10001,
    CCURLOPT_URL = 10002,
    CCURLOPT_PROXY = 10004,
    CCURLOPT_PROXYHEADER = 10228,
    CCURLOPT_PROXYAUTH = 111,
    CCURLOPT_READDATA = 10009,
    CCURLOPT_ERRORBUFFER = 10010,
    CCURLOPT_WRITEFUNCTION = 20011,
    CCURLOPT_READFUNCTION = 20012,
    CCURLOPT_USERAGENT = 10018,
    CCURLOPT_HTTPHEADER = 10023,
    CCURLOPT_HEADERDATA = 10029,
    CCURLOPT_CUSTOMREQUEST = 10036,
    CCURLOPT_SSLCERT = 10025,
    CCURLOPT_KEYPASSWD = 10026,
    CCURLOPT_SSLKEY = 10087,
    CCURLOPT_PINNEDPUBLICKEY = 10230,
    CCURLOPT_SSLVERSION = 32,
    CCURLOPT_HEADER = 42,
    CCURLOPT_NOPROGRESS = 43,
    CCURLOPT_NOBODY = 44,
    CCURLOPT_UPLOAD = 46,
    CCURLOPT_FOLLOWLOCATION = 52,
    CCURLOPT_XFERINFODATA = 10057,
    CCURLOPT_CAINFO = 10065,
    CCURLOPT_CAPATH = 10097,
    CCURLOPT_PROXY_CAINFO = 10246,
    CCURLOPT_PROXY_CAPATH = 10247,
    CCURLOPT_PROXY_SSLVERSION = 250,
    CCURLOPT_FRESH_CONNECT = 74,
    CCURLOPT_HEADERFUNCTION = 20079,
    CCURLOPT_HTTPGET = 80,
    CCURLOPT_HTTP_VERSION = 84,
    CCURLOPT_BUFFERSIZE = 98,
    CCURLOPT_NOSIGNAL = 99,
    CCURLOPT_PRIVATE = 10103,
    CCURLOPT_INFILESIZE_LARGE = 30115,
    CCURLOPT_SSL_CTX_FUNCTION = 20108,
    CCURLOPT_TCP_NODELAY = 121,
    CCURLOPT_CONNECTTIMEOUT_MS = 156,
    CCURLOPT_OPENSOCKETFUNCTION = 20163,
    CCURLOPT_OPENSOCKETDATA = 10164,
    CCURLOPT_CLOSESOCKETFUNCTION = 20208,
    CCURLOPT_CLOSESOCKETDATA = 10209,
    // Since 7.80.
    CCURLOPT_PREREQFUNCTION = 20312,
    CCURLOPT_PREREQDATA = 10313,
    CCURLOPT_EXPECT_100_TIMEOUT_MS = 227,
    CCURLOPT_SEEKFUNCTION = 20167,
    CCURLOPT_SEEKDATA = 10168,
    CCURLOPT_NOPROXY = 10177,
    CCURLOPT_PROTOCOLS = 181,
    CCURLOPT_XFERINFOFUNCTION = 20219,
    CCURLOPT_PATH_AS_IS = 234,
    CCURLOPT_PIPEWAIT = 237,
    CCURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CCURLOPT_UPLOAD_BUFFERSIZE = 280,
    CCURLOPT_REQUEST_TARGET = 10266,
    CCURLOPT_CURLU = 10282,
    CCURLOPT_MAXAGE_CONN = 288,
    CCURLOPT_PROTOCOLS_STR = 10318,
    CCURLOPT_QUICK_EXIT = 322,
};

enum ccurl_url_part {
    CCURLUPART_URL = 0,
    CCURLUPART_PATH = 7,
    CCURLUPART_QUERY = 8,
};

enum ccurl_multi_option {
    CCURLMOPT_PIPELINING = 3,
    CCURLMOPT_MAXCONNECTS = 6,
    CCURLMOPT_MAX_CONCURRENT_STREAMS = 16,
};

enum ccurl_info {
    CCURLINFO_PRIVATE = 0x100000 + 21,
    CCURLINFO_PRIMARY_IP = 0x100000 + 32,
    CCURLINFO_RESPONSE_CODE = 0x200000 + 2,
    CCURLINFO_OS_ERRNO = 0x200000 + 25,
    CCURLINFO_NUM_CONNECTS = 0x200000 + 26,
    // Since 7.73.
    CCURLINFO_PROXY_ERROR = 0x200000 + 59,
    CCURLINFO_SSL_VERIFYRESULT = 0x200000 + 13,
    CCURLINFO_TLS_SSL_PTR = 0x400000 + 45,
    // In microseconds since the start of the transfer; since 7.61.
    CCURLINFO_TOTAL_TIME_T = 0x600000 + 50,
    CCURLINFO_NAMELOOKUP_TIME_T = 0x600000 + 51,
    CCURLINFO_CONNECT_TIME_T = 0x600000 + 52,
    CCURLINFO_PRETRANSFER_TIME_T = 0x600000 + 53,
    CCURLINFO_STARTTRANSFER_TIME_T = 0x600000 + 54,
    CCURLINFO_APPCONNECT_TIME_T = 0x600000 + 56,
};

enum {
    CCURL_ERROR_SIZE = 256,
    CCURL_READFUNC_ABORT = 0x10000000,
    CCURL_READFUNC_PAUSE = 0x10000001,
    CCURL_WRITEFUNC_PAUSE = 0x10000001,
    CCURLPAUSE_RECV = 1,
    CCURLAUTH_BASIC = 1,
    CCURLAUTH_DIGEST = 2,
    CCURL_SSLVERSION_TLSv1_2 = 6,
    CCURL_SSLVERSION_TLSv1_3 = 7,
    CCURL_HTTP_VERSION_1_1 = 2,
    CCURL_HTTP_VERSION_2TLS = 4,
    // Since 7.66.
    CCURL_HTTP_VERSION_3 = 30,
    // The bits of `ccurl_features`.
    CCURL_VERSION_HTTPS_PROXY = 1 << 21,
    CCURL_VERSION_HTTP3 = 1 << 25,
    CCURLPIPE_MULTIPLEX = 2,
};

typedef size_t (*ccurl_data_callback)(char *_Nonnull data, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_seek_callback)(void *_Nullable context, int64_t offset, int origin);
/// The beginning of libcurl's `curl_sockaddr`.
struct ccurl_address {
    int family;
    int type;
    int protocol;
};
/// Creates a socket for a connection; a negative result makes the connection fail.
typedef int (*ccurl_open_callback)(void *_Nullable context, int purpose, struct ccurl_address *_Nonnull address);
/// Closes a socket.
typedef int (*ccurl_close_callback)(void *_Nullable context, int socket);
/// Called before each request is sent; any result other than 0 ends the transfer with code 42.
typedef int (*ccurl_prereq_callback)(
    void *_Nullable context, char *_Nullable remote_address, char *_Nullable local_address, int remote_port, int local_port);
typedef int (*ccurl_progress_callback)(
    void *_Nullable context, int64_t download_total, int64_t downloaded, int64_t upload_total, int64_t uploaded);

void *_Nullable ccurl_easy_init(void);
void ccurl_easy_cleanup(void *_Nonnull easy);
void ccurl_easy_reset(void *_Nonnull easy);
/// Pauses or resumes directions; on resuming, calls the write callback with the data held back.
int ccurl_easy_pause(void *_Nonnull easy, int directions);
int ccurl_easy_set_long(void *_Nonnull easy, enum ccurl_option option, long value);
int ccurl_easy_set_offset(void *_Nonnull easy, enum ccurl_option option, int64_t value);
int ccurl_easy_set_pointer(void *_Nonnull easy, enum ccurl_option option, const void *_Nullable value);
int ccurl_easy_set_string(void *_Nonnull easy, enum ccurl_option option, const char *_Nullable value);
int ccurl_easy_set_data_callback(void *_Nonnull easy, enum ccurl_option option, ccurl_data_callback _Nullable value);
int ccurl_easy_set_seek_callback(void *_Nonnull easy, ccurl_seek_callback _Nullable value);
/// Sets the callback that opens sockets for the handle's connections. Its context is `CCURLOPT_OPENSOCKETDATA`.
int ccurl_easy_set_open_callback(void *_Nonnull easy, ccurl_open_callback _Nullable value);
/// Sets the callback that closes sockets of the handle's connections, possibly long after the handle is gone. Its
/// context is `CCURLOPT_CLOSESOCKETDATA`.
int ccurl_easy_set_close_callback(void *_Nonnull easy, ccurl_close_callback _Nullable value);
int ccurl_easy_set_prereq_callback(void *_Nonnull easy, ccurl_prereq_callback _Nullable value);
int ccurl_easy_set_progress_callback(void *_Nonnull easy, ccurl_progress_callback _Nullable value);
/// If libcurl uses OpenSSL: tracks the end of TLS connections, and enables tickets to resume TLS 1.2 sessions.
void ccurl_easy_follow_tls(void *_Nonnull easy);
/// The number of the TLS session of the handle's connection; 0 if it has none or cannot be tracked. Only for threads
/// started by `ccurl_start_thread`.
uintptr_t ccurl_easy_tls_session(void *_Nonnull easy);
/// Whether the server has sent its closing alert in a session, possibly ended by now, of the calling thread.
bool ccurl_tls_session_was_closed(uintptr_t session);
int ccurl_easy_get_long(void *_Nonnull easy, enum ccurl_info info, long *_Nonnull value);
int ccurl_easy_get_offset(void *_Nonnull easy, enum ccurl_info info, int64_t *_Nonnull value);
int ccurl_easy_get_pointer(void *_Nonnull easy, enum ccurl_info info, void *_Nullable *_Nonnull value);
const char *_Nonnull ccurl_easy_strerror(int code);

void *_Nullable ccurl_slist_append(void *_Nullable list, const char *_Nonnull line);
void ccurl_slist_free_all(void *_Nullable list);

void *_Nullable ccurl_url_init(void);
void ccurl_url_cleanup(void *_Nonnull url);
/// Sets a part of a URL, or all of it; `NULL` removes the part. Returns whether libcurl accepts the value.
bool ccurl_url_set(void *_Nonnull url, enum ccurl_url_part part, const char *_Nullable value);

void *_Nullable ccurl_multi_init(void);
int ccurl_multi_cleanup(void *_Nonnull multi);
int ccurl_multi_set_long(void *_Nonnull multi, enum ccurl_multi_option option, long value);
int ccurl_multi_add_handle(void *_Nonnull multi, void *_Nonnull easy);
int ccurl_multi_remove_handle(void *_Nonnull multi, void *_Nonnull easy);
int ccurl_multi_perform(void *_Nonnull multi, int *_Nonnull running);
/// Waits for activity; `ready` gets the number of ready sockets, not counting a wake-up.
int ccurl_multi_poll(void *_Nonnull multi, int timeout_milliseconds, int *_Nullable ready);
int ccurl_multi_wakeup(void *_Nonnull multi);
/// Removes and returns the next finished handle, with its CURLcode; `NULL` if there is none.
void *_Nullable ccurl_multi_next_finished(void *_Nonnull multi, int *_Nonnull code);

/// Runs `run` on a new thread; returns 0 or an `errno` value.
///
/// The thread has a name, for debuggers and system monitors. It blocks SIGPIPE, because TLS libraries write to sockets
/// without MSG_NOSIGNAL.
int ccurl_start_thread(void (*_Nonnull run)(void *_Nonnull context), void *_Nonnull context);

#endif
#endif
