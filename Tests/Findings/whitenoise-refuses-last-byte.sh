#!/usr/bin/env bash
# WhiteNoise answers a range of one byte with 416. If all but the last byte of a file is there, a resume asks for
# exactly that: wget -c takes the 416 for “already complete”, exits with 0 and leaves the file a byte short.
# PyPI: whitenoise 6.12.0 under waitress 3.0.2; Debian 12: wget 1.21.3-1+deb12u1. Exit status: 0 as described, 1 if
# the behavior has changed, 2 if it cannot be installed.
set -euo pipefail
packages=(whitenoise==6.12.0 waitress==3.0.2)
wget=wget=1.21.3-1+deb12u1
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check "${packages[@]}" ||
    { echo "not installed: ${packages[*]}"; exit 2; }
{ apt-get download -q "$wget" || { apt-get update -q && apt-get download -q "$wget"; }; } >apt.log 2>&1 &&
    dpkg-deb -x ./wget_*.deb . || { echo "not installed: $wget"; exit 2; }
echo "${packages[*]}, $(usr/bin/wget --version | head -1)"

mkdir files
head -c 100000 /dev/urandom >files/file
cat >server.py <<'PYTHON'
import waitress, whitenoise

def missing(environ, start_response):
    start_response("404 Not Found", [("Content-Length", "0")])
    return []

server = waitress.create_server(whitenoise.WhiteNoise(missing, root="files"), host="127.0.0.1", port=0)
print(server.effective_port, flush=True)
server.run()
PYTHON
venv/bin/python server.py >port 2>server.log &
server=$!
for _ in {1..100}; do test -s port && break; sleep 0.1; done

cat >client.py <<'PYTHON'
import http.client, sys

for wanted in ("bytes=99998-", "bytes=99999-", "bytes=0-0"):
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    connection.request("GET", "/file", headers={"Range": wanted})
    response = connection.getresponse()
    range, length = response.getheader("Content-Range"), len(response.read())
    print(f"Range: {wanted}: {response.status}, Content-Range: {range}, {length} bytes")
PYTHON
venv/bin/python client.py "$(cat port)" | tee answers
head -c 99999 files/file >file
status=0
usr/bin/wget --no-config --no-verbose --continue "http://127.0.0.1:$(cat port)/file" 2>&1 || status=$?
echo "wget -c with 99999 bytes there: exit $status, $(stat -c %s file) of 100000 bytes"
test "$(grep -c ' 416,' answers)" -eq 2 && test $status -eq 0 && test "$(stat -c %s file)" -eq 99999 ||
    { echo "changed"; exit 1; }
echo "as described"
