// link NAMESPACE NAMESPACE MILLISECONDS PERCENT MEGABITS: connects two network namespaces by a line, until it is ended.
//
// The line is a TUN device in each namespace, 10.99.0.1 and 10.99.0.2, and this program between them: it does what netem does,
// for kernels without it. The connections are the kernel's own, with its congestion control.
//
// - Each direction sends MEGABITS a second and queues up to a round trip's worth of packets; more are dropped.
// - A packet arrives half of MILLISECONDS after it was sent.
// - PERCENT of the packets are lost, in each direction, independently of each other.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MTU = 1500, SLOTS = 16384, IP_HEADER = 20 };

struct packet {
    int64_t due;
    int length;
    char bytes[MTU];
};

// One direction: a ring of the packets that are under way, in the order of their arrival.
struct direction {
    int from, to;
    int64_t free_at;
    unsigned first, end;
    struct packet *ring;
};

static int64_t delay, queue_time, bits_per_second;
static double loss;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Makes the device of one namespace.
static int open_end(const char *namespace, const char *address) {
    char path[256];
    snprintf(path, sizeof path, "/var/run/netns/%s", namespace);
    const int place = open(path, O_RDONLY | O_CLOEXEC);
    if (place < 0 || setns(place, CLONE_NEWNET) != 0) fail(path);
    close(place);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    strcpy(request.ifr_name, "line0");
    if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) fail("/dev/net/tun");
    const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in *field = (struct sockaddr_in *)&request.ifr_addr;
    *field = (struct sockaddr_in){.sin_family = AF_INET};
    inet_pton(AF_INET, address, &field->sin_addr);
    if (ioctl(control, SIOCSIFADDR, &request) != 0) fail("the address");
    inet_pton(AF_INET, "255.255.255.0", &field->sin_addr);
    if (ioctl(control, SIOCSIFNETMASK, &request) != 0) fail("the mask");
    request.ifr_mtu = MTU;
    if (ioctl(control, SIOCSIFMTU, &request) != 0) fail("the MTU");
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(control, SIOCSIFFLAGS, &request) != 0) fail("the device");
    close(control);
    return device;
}

// Takes what a namespace has sent onto the line.
static void take(struct direction *direction) {
    char bytes[MTU];
    ssize_t length;
    while ((length = read(direction->from, bytes, MTU)) > 0) {
        const int64_t time = now();
        if (bytes[0] >> 4 != 4 || length < IP_HEADER) continue;
        if (direction->free_at < time) direction->free_at = time;
        const int is_full = direction->free_at - time > queue_time || direction->end - direction->first == SLOTS;
        if (is_full) continue;
        direction->free_at += length * 8 * 1000000000LL / bits_per_second;
        // A lost packet has used the line.
        if (drand48() < loss) continue;
        struct packet *packet = &direction->ring[direction->end++ % SLOTS];
        packet->due = direction->free_at + delay;
        packet->length = (int)length;
        memcpy(packet->bytes, bytes, (size_t)length);
    }
}

// Hands over what has arrived; returns when the next packet does.
static int64_t deliver(struct direction *direction) {
    const int64_t time = now();
    while (direction->first != direction->end) {
        struct packet *packet = &direction->ring[direction->first % SLOTS];
        if (packet->due > time) return packet->due;
        (void)!write(direction->to, packet->bytes, (size_t)packet->length);
        direction->first++;
    }
    return INT64_MAX;
}

int main(int count, char **arguments) {
    if (count != 6) return fprintf(stderr, "usage: link NAMESPACE NAMESPACE MILLISECONDS PERCENT MEGABITS\n"), 2;
    delay = (int64_t)(atof(arguments[3]) * 1e6 / 2);
    queue_time = 2 * delay;
    loss = atof(arguments[4]) / 100;
    bits_per_second = (int64_t)(atof(arguments[5]) * 1e6);
    srand48(now());
    const int first = open_end(arguments[1], "10.99.0.1"), second = open_end(arguments[2], "10.99.0.2");
    struct direction directions[2] = {{.from = first, .to = second}, {.from = second, .to = first}};
    for (int index = 0; index < 2; index++) {
        directions[index].ring = malloc(SLOTS * sizeof(struct packet));
        if (directions[index].ring == NULL) fail("memory");
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        int64_t next = INT64_MAX;
        for (int index = 0; index < 2; index++) {
            take(&directions[index]);
            const int64_t due = deliver(&directions[index]);
            if (due < next) next = due;
        }
        const int64_t rest = next == INT64_MAX ? 1000000000 : next - now();
        struct timespec timeout = {.tv_sec = rest / 1000000000, .tv_nsec = rest > 0 ? rest % 1000000000 : 0};
        struct pollfd descriptors[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
        if (rest > 0 && ppoll(descriptors, 2, &timeout, NULL) < 0 && errno != EINTR) fail("ppoll");
    }
}
