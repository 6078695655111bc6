#!/usr/bin/env bash
# rclone serve keeps sizes and dates of files for five minutes (--dir-cache-time), but reads the content anew. When a
# file has been replaced by a longer one, GET sends the beginning of the new content under the old Content-Length,
# Last-Modified and ETag: a short file that looks complete, and validators that do not notice. Only a checksum shows
# it.
# Debian 12: rclone 1.60.1+dfsg-2+b5. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot be
# installed.
set -euo pipefail
package=rclone=1.60.1+dfsg-2+b5
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
{ apt-get download -q "$package" || { apt-get update -q && apt-get download -q "$package"; }; } >apt.log 2>&1 &&
    dpkg-deb -x ./rclone_*.deb . || { echo "not installed: $package"; exit 2; }
usr/bin/rclone version | sed -n 1p

mkdir files
printf 'old old old\n' >files/file
touch -d '2026-01-01 00:00:00 UTC' files/file
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
usr/bin/rclone --config "$work/rclone.conf" serve webdav files --addr "127.0.0.1:$port" >server.log 2>&1 &
server=$!
cat >client.py <<'PYTHON'
import http.client, os, sys, time

def get(what):
    for _ in range(100):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            connection.request("GET", "/file")
            response = connection.getresponse()
            break
        except ConnectionRefusedError:
            time.sleep(0.1)
    fields = [response.getheader(name) for name in ("Content-Length", "Last-Modified", "ETag")]
    body = response.read()
    print(f"{what}: {response.status}, {body}, {', '.join(map(str, fields))}")
    return fields, body

before, old = get("before")
with open("files/new", "wb") as file:
    file.write(b"new new new and much more\n")
os.rename("files/new", "files/file")
time.sleep(2)
after, new = get("2 s after a change")
as_described = before == after and old == b"old old old\n" and new == b"new new new "
print("as described" if as_described else "changed")
sys.exit(not as_described)
PYTHON
python3 client.py "$port"
