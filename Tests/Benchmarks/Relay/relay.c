// What is emulated, exactly:
//
// - Each direction of the line is one pipe of `bits_per_second` for all connections. A piece of up to 16 KiB leaves the line
//   when all that was taken before it has, and its own bits have: the content of TCP is counted, not the headers of packets.
//   Connections with something to send take turns, a piece at a time, as flows that share a bottleneck roughly do.
// - A piece arrives half a round trip after it has left the line.
// - A client is connected at once, since the kernel answers for the relay. So that a connection and a request together take
//   two round trips, as over a real line, the first bytes of a connection are taken one round trip after it was made.
// - The end of one direction (half-close) is passed on like a byte. A connection that breaks is broken on the other side
//   at once.
// - At most a round trip's worth of bandwidth and 64 KiB wait in the relay for each connection and direction; beyond that
//   nothing is read, and the sender is slowed down as by a full window.
//
// Not emulated: slow start, loss, reordering, and the round trip that closing takes.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "LineRelay.h"

#ifdef __linux__

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { UP, DOWN, DIRECTIONS };
enum {
    PIECE_SIZE = 16 * 1024,
    // Two descriptors each: a process may usually have 1024.
    MAXIMUM_PAIRS = 480,
    EVENT_COUNT = 256,
    // Bytes beyond a round trip's worth that may wait for each connection and direction.
    SPARE_BYTES = 64 * 1024,
};

// How far ahead of the line pieces are taken, which is the queue in front of the bottleneck. The line stays full when the relay
// is woken up late by less than half of it.
static const int64_t LINE_QUEUE = 10 * 1000 * 1000;
static const int64_t NEVER = INT64_MAX;

struct piece {
    struct piece *next;
    int64_t due;
    int length;
    int offset;
    // In place of bytes: the sender has ended its direction.
    int is_end;
    char bytes[];
};

struct flow {
    int from, to;
    struct piece *first, *last;
    int64_t queued;
    int64_t last_due;
    // Before this time, nothing is taken: the connection is being made.
    int64_t open_at;
    int is_readable, is_writable;
    // The end has been read; the end has been passed on.
    int has_ended, is_over;
};

// One of a pair's two descriptors.
struct end {
    struct flow *sends, *receives;
};

struct pair {
    struct flow flows[DIRECTIONS];
    struct end client, server;
    int is_broken;
};

struct relay {
    struct line_relay_options options;
    int events, timer, listener;
    struct pair *pairs[MAXIMUM_PAIRS];
    int count;
    // Connections may be waiting to be taken.
    int has_arrivals;
    // When the line has sent all that it was given, and which pair's turn it is.
    int64_t free_at[DIRECTIONS];
    int turn[DIRECTIONS];
    int64_t alarm;
    char buffer[PIECE_SIZE];
};

static int64_t now_in_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int64_t later(int64_t first, int64_t second) { return first > second ? first : second; }

static int64_t sooner(int64_t first, int64_t second) { return first < second ? first : second; }

static int64_t time_on_line(const struct relay *relay, int64_t length) {
    return length * 8 * 1000000000LL / relay->options.bits_per_second;
}

static int64_t window(const struct relay *relay) {
    return (int64_t)((double)relay->options.bits_per_second / 8 * (double)relay->options.round_trip_nanoseconds / 1e9)
        + SPARE_BYTES;
}

// Whether there is something to be taken, at some time.
static int wants_more(const struct relay *relay, const struct flow *flow) {
    return flow->is_readable && !flow->has_ended && flow->queued < window(relay);
}

static int watch(const struct relay *relay, int descriptor, uint32_t mask, void *context) {
    struct epoll_event event = {.events = mask, .data.ptr = context};
    return epoll_ctl(relay->events, EPOLL_CTL_ADD, descriptor, &event);
}

// --- connections

static int connect_to_server(const struct relay *relay) {
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server < 0) return -1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(relay->options.server_port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(server, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS) return server;
    close(server);
    return -1;
}

static void add_pair(struct relay *relay, int client) {
    const int server = connect_to_server(relay);
    struct pair *pair = server < 0 ? NULL : calloc(1, sizeof *pair);
    if (pair == NULL) {
        close(client);
        if (server >= 0) close(server);
        return;
    }
    const int on = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int64_t open_at = now_in_nanoseconds() + relay->options.round_trip_nanoseconds;
    pair->flows[UP] = (struct flow){.from = client, .to = server, .open_at = open_at};
    // The server has the connection half a round trip after the client.
    pair->flows[DOWN] = (struct flow){
        .from = server, .to = client, .open_at = open_at + relay->options.round_trip_nanoseconds / 2};
    pair->client = (struct end){.sends = &pair->flows[UP], .receives = &pair->flows[DOWN]};
    pair->server = (struct end){.sends = &pair->flows[DOWN], .receives = &pair->flows[UP]};
    relay->pairs[relay->count++] = pair;
    const uint32_t mask = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    if (watch(relay, client, mask, &pair->client) != 0 || watch(relay, server, mask, &pair->server) != 0)
        pair->is_broken = 1;
}

static void accept_all(struct relay *relay) {
    while (relay->has_arrivals && relay->count < MAXIMUM_PAIRS) {
        const int client = accept4(relay->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client >= 0) add_pair(relay, client);
        else if (errno != EINTR && errno != ECONNABORTED) relay->has_arrivals = 0;
    }
}

static void remove_pair(struct relay *relay, int index) {
    struct pair *pair = relay->pairs[index];
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        struct flow *flow = &pair->flows[direction];
        while (flow->first != NULL) {
            struct piece *next = flow->first->next;
            free(flow->first);
            flow->first = next;
        }
        if (pair->is_broken) setsockopt(flow->from, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(flow->from);
    }
    free(pair);
    relay->pairs[index] = relay->pairs[--relay->count];
    // Where there were too many descriptors, there may be room now; the listener tells of an arrival only once.
    relay->has_arrivals = 1;
}

// --- bytes

static void append(struct flow *flow, struct piece *piece) {
    flow->last_due = piece->due = later(piece->due, flow->last_due);
    flow->queued += piece->length;
    if (flow->last != NULL) flow->last->next = piece;
    else flow->first = piece;
    flow->last = piece;
}

// Takes the next piece of a flow onto the line; returns whether there was one. -1 means that the connection is broken.
static int take(struct relay *relay, struct flow *flow, int direction, int64_t now) {
    const ssize_t length = recv(flow->from, relay->buffer, PIECE_SIZE, 0);
    if (length < 0) {
        if (errno == EINTR) return 1;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
        flow->is_readable = 0;
        return 0;
    }
    struct piece *piece = malloc(sizeof *piece + (size_t)length);
    if (piece == NULL) return -1;
    int64_t *free_at = &relay->free_at[direction];
    *free_at = later(*free_at, now) + time_on_line(relay, length);
    *piece = (struct piece){
        .due = *free_at + relay->options.round_trip_nanoseconds / 2, .length = (int)length, .is_end = length == 0};
    // Only now: the bytes begin where the structure's padding does.
    memcpy(piece->bytes, relay->buffer, (size_t)length);
    flow->has_ended = piece->is_end;
    append(flow, piece);
    return 1;
}

// Keeps one direction of the line filled; returns when to come again for what is left.
static int64_t fill_line(struct relay *relay, int direction, int64_t now) {
    int idle = 0;
    while (relay->count > 0 && idle < relay->count) {
        if (relay->free_at[direction] - now >= LINE_QUEUE) return relay->free_at[direction] - LINE_QUEUE / 2;
        relay->turn[direction] = (relay->turn[direction] + 1) % relay->count;
        struct pair *pair = relay->pairs[relay->turn[direction]];
        struct flow *flow = &pair->flows[direction];
        int has_taken = 0;
        if (!pair->is_broken && flow->open_at <= now && wants_more(relay, flow)) has_taken = take(relay, flow, direction, now);
        if (has_taken < 0) pair->is_broken = 1;
        idle = has_taken > 0 ? 0 : idle + 1;
    }
    return NEVER;
}

// Passes on what has arrived; returns 0, or -1 where the connection is broken.
static int deliver(struct flow *flow, int64_t now) {
    while (flow->first != NULL && flow->first->due <= now && flow->is_writable) {
        struct piece *piece = flow->first;
        if (piece->is_end) {
            shutdown(flow->to, SHUT_WR);
            flow->is_over = 1;
        } else {
            const size_t left = (size_t)(piece->length - piece->offset);
            const ssize_t length = send(flow->to, piece->bytes + piece->offset, left, MSG_NOSIGNAL);
            if (length < 0) {
                if (errno == EINTR) continue;
                if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
                flow->is_writable = 0;
                return 0;
            }
            piece->offset += (int)length;
            flow->queued -= length;
            if (piece->offset < piece->length) continue;
        }
        flow->first = piece->next;
        if (flow->first == NULL) flow->last = NULL;
        free(piece);
    }
    return 0;
}

// Delivers what is due and closes what is over.
static void deliver_all(struct relay *relay, int64_t now) {
    for (int index = relay->count - 1; index >= 0; index--) {
        struct pair *pair = relay->pairs[index];
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if (deliver(&pair->flows[direction], now) != 0) pair->is_broken = 1;
        }
        if (pair->is_broken || (pair->flows[UP].is_over && pair->flows[DOWN].is_over)) remove_pair(relay, index);
    }
}

// --- the loop

// When a piece is due next, or a connection is made.
static int64_t next_due(const struct relay *relay, int64_t now) {
    int64_t next = NEVER;
    for (int index = 0; index < relay->count; index++) {
        const struct pair *pair = relay->pairs[index];
        if (pair->is_broken) return 0;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const struct flow *flow = &pair->flows[direction];
            if (flow->first != NULL && flow->is_writable) next = sooner(next, flow->first->due);
            if (flow->open_at > now && wants_more(relay, flow)) next = sooner(next, flow->open_at);
        }
    }
    return next;
}

// A time that is no longer wanted may stay set: waking up once too often does no harm.
static void set_alarm(struct relay *relay, int64_t time) {
    if (time == relay->alarm || time == NEVER) return;
    relay->alarm = time;
    const struct itimerspec setting = {
        .it_value = {.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000}};
    timerfd_settime(relay->timer, TFD_TIMER_ABSTIME, &setting, NULL);
}

// Returns 0 when standard input has ended.
static int wait_for_events(struct relay *relay, int64_t deadline) {
    struct epoll_event events[EVENT_COUNT];
    const int is_late = deadline <= now_in_nanoseconds();
    if (!is_late) set_alarm(relay, deadline);
    const int count = epoll_wait(relay->events, events, EVENT_COUNT, is_late ? 0 : -1);
    for (int index = 0; index < count; index++) {
        void *context = events[index].data.ptr;
        const uint32_t mask = events[index].events;
        if (context == NULL) {
            if (read(STDIN_FILENO, relay->buffer, sizeof relay->buffer) == 0) return 0;
        } else if (context == &relay->listener) {
            relay->has_arrivals = 1;
        } else if (context == &relay->timer) {
            uint64_t expirations;
            (void)!read(relay->timer, &expirations, sizeof expirations);
            relay->alarm = NEVER;
        } else {
            const struct end *end = context;
            const uint32_t trouble = EPOLLERR | EPOLLHUP;
            if (mask & (EPOLLIN | EPOLLRDHUP | trouble)) end->sends->is_readable = 1;
            if (mask & (EPOLLOUT | trouble)) end->receives->is_writable = 1;
        }
    }
    return 1;
}

static int set_up(struct relay *relay) {
    relay->events = epoll_create1(EPOLL_CLOEXEC);
    relay->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    relay->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (relay->events < 0 || relay->timer < 0 || relay->listener < 0) return -1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(relay->listener, (struct sockaddr *)&address, length) != 0) return -1;
    if (listen(relay->listener, 1024) != 0) return -1;
    if (getsockname(relay->listener, (struct sockaddr *)&address, &length) != 0) return -1;
    if (watch(relay, relay->listener, EPOLLIN | EPOLLET, &relay->listener) != 0) return -1;
    if (watch(relay, relay->timer, EPOLLIN, &relay->timer) != 0) return -1;
    if (watch(relay, STDIN_FILENO, EPOLLIN, NULL) != 0) return -1;
    return dprintf(STDOUT_FILENO, "%d\n", ntohs(address.sin_port)) > 0 ? 0 : -1;
}

int line_relay_run(const struct line_relay_options *options) {
    struct relay *relay = calloc(1, sizeof *relay);
    if (relay == NULL) return -1;
    relay->options = *options;
    relay->alarm = NEVER;
    // Whatever was set up ends with the process, which has nothing else to do.
    if (set_up(relay) != 0) return -1;
    int64_t deadline = NEVER;
    while (wait_for_events(relay, deadline)) {
        deliver_all(relay, now_in_nanoseconds());
        accept_all(relay);
        const int64_t now = now_in_nanoseconds();
        deadline = sooner(fill_line(relay, UP, now), fill_line(relay, DOWN, now));
        deadline = sooner(deadline, next_due(relay, now));
    }
    return 0;
}

#else

int line_relay_run(const struct line_relay_options *options) {
    (void)options;
    return -1;
}

#endif
