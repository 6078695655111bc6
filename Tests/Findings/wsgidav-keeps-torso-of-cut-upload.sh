#!/usr/bin/env bash
# WsgiDAV writes a PUT straight into the file that it replaces. An upload that breaks off leaves the part that arrived
# in place of the complete old file, under its name, and GET serves it with 200.
# PyPI: wsgidav 4.4.0 under cheroot 11.1.2. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot
# be installed.
set -euo pipefail
packages=(wsgidav==4.4.0 cheroot==11.1.2)
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check "${packages[@]}" ||
    { echo "not installed: ${packages[*]}"; exit 2; }
echo "${packages[*]}"

mkdir files
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
venv/bin/wsgidav --host 127.0.0.1 --port "$port" --root files --auth anonymous --no-config >server.log 2>&1 &
server=$!
cat >client.py <<'PYTHON'
import http.client, os, socket, sys, time

port = int(sys.argv[1])

def ask(method, body=None):
    for _ in range(100):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request(method, "/report.bin", body)
            response = connection.getresponse()
            return response.status, response.read()
        except ConnectionRefusedError:
            time.sleep(0.1)

print("PUT of 100000 bytes:", ask("PUT", b"o" * 100_000)[0])
with socket.create_connection(("127.0.0.1", port)) as connection:
    connection.sendall(b"PUT /report.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000\r\n\r\n" + b"n" * 50_000)
    time.sleep(1)
print("PUT of 200000 bytes, cut after 50000")
deadline = time.monotonic() + 10
while os.path.getsize("files/report.bin") != 50_000 and time.monotonic() < deadline:
    time.sleep(0.1)
status, body = ask("GET")
print(f"GET: {status}, {len(body)} bytes, {body.count(b'o')} of the old file")
as_described = (status, body) == (200, b"n" * 50_000)
print("as described" if as_described else "changed")
sys.exit(not as_described)
PYTHON
python3 client.py "$port"
