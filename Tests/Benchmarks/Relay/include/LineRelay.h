/// A long line on one machine: a relay for TCP that adds the round trip and the bandwidth of a network.
#ifndef LINE_RELAY_H
#define LINE_RELAY_H

#include <stdint.h>

struct line_relay_options {
    /// The port of 127.0.0.1 that every connection is passed on to.
    uint16_t server_port;
    /// Half of it is added to each byte in each direction.
    int64_t round_trip_nanoseconds;
    /// What all connections together get, in each direction.
    int64_t bits_per_second;
};

/// Relays until standard input ends, so never longer than the process that holds the other end of it; returns 0, or -1 where
/// the relay cannot be set up or the system is not Linux.
///
/// Listens on a port of 127.0.0.1 that the system chooses and writes its number to standard output, as one line.
int line_relay_run(const struct line_relay_options *_Nonnull options);

#endif
