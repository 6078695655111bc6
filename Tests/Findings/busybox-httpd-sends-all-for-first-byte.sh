#!/usr/bin/env bash
# busybox httpd takes the 0 at the end of a range for “no end given”: “Range: bytes=0-0” gets 206 with the whole file.
# This range is how clients ask for a size where HEAD is not allowed, so each such question transfers everything.
# Debian 12: busybox 1:1.35.0-4+deb12u1+b1. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot
# be installed.
set -euo pipefail
package=busybox=1:1.35.0-4+deb12u1+b1
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
{ apt-get download -q "$package" || { apt-get update -q && apt-get download -q "$package"; }; } >apt.log 2>&1 &&
    dpkg-deb -x ./busybox_*.deb . || { echo "not installed: $package"; exit 2; }
busybox=bin/busybox
"$busybox" | sed -n 1p

mkdir files
head -c 1000000 /dev/urandom >files/file
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$busybox" httpd -f -p "127.0.0.1:$port" -h files &
server=$!
cat >client.py <<'PYTHON'
import http.client, sys, time

def get(wanted):
    for _ in range(50):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request("GET", "/file", headers={"Range": wanted})
            response = connection.getresponse()
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
    answer = response.status, response.getheader("Content-Range"), len(response.read())
    print(f"Range: {wanted}: {answer[0]}, Content-Range: {answer[1]}, {answer[2]} bytes")
    return answer

as_described = get("bytes=0-1") == (206, "bytes 0-1/1000000", 2) and get("bytes=1-1") == (206, "bytes 1-1/1000000", 1) \
    and get("bytes=0-0") == (206, "bytes 0-999999/1000000", 1_000_000)
print("as described" if as_described else "changed")
sys.exit(not as_described)
PYTHON
python3 client.py "$port"
