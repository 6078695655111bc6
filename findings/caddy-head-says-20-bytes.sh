#!/usr/bin/env bash
# caddy's `encode gzip` compresses the content of a HEAD, which is empty: for every file that it would compress, HEAD
# says “Content-Length: 20”, the size of an empty gzip stream, beside the file's own entity tag. A client that asks
# for sizes that way and accepts gzip adds up 20 bytes a file.
# Debian 12: caddy 2.6.2-5. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot be installed.
set -euo pipefail
package=caddy=2.6.2-5
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
{ apt-get download -q "$package" || { apt-get update -q && apt-get download -q "$package"; }; } >apt.log 2>&1 &&
    dpkg-deb -x ./caddy_*.deb . || { echo "not installed: $package"; exit 2; }
usr/bin/caddy version

mkdir files
seq 100000 >files/long.txt
seq 1000 >files/short.txt
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >Caddyfile <<CADDY
{
    admin off
}
http://127.0.0.1:$port {
    root * $work/files
    encode gzip
    file_server
}
CADDY
HOME=$work usr/bin/caddy run --adapter caddyfile --config Caddyfile >server.log 2>&1 &
server=$!
cat >client.py <<'PYTHON'
import http.client, sys, time

def ask(method, path):
    for _ in range(100):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request(method, path, headers={"Accept-Encoding": "gzip"})
            response = connection.getresponse()
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
    length, content = response.getheader("Content-Length"), len(response.read())
    print(f"{method} {path}: {response.status}, Content-Encoding: {response.getheader('Content-Encoding')}, "
          f"Content-Length: {length}, {content} bytes, ETag: {response.getheader('ETag')}")
    return length, content

as_described = True
for path in ("/long.txt", "/short.txt"):
    head, get = ask("HEAD", path), ask("GET", path)
    as_described &= head[0] == "20" and get[1] > 1_000
print("as described" if as_described else "changed")
sys.exit(not as_described)
PYTHON
python3 client.py "$port"
