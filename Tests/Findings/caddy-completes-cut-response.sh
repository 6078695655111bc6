#!/usr/bin/env bash
# caddy's reverse_proxy passes on a chunked response that its origin has cut, and then ends it with a last chunk of its
# own: the client gets a complete response with half the content, and no error. The same response taken from the origin
# itself fails with “transfer closed” (18). Only a known size or a checksum shows the loss.
# Debian 12: caddy 2.6.2-5, curl 7.88.1-10+deb12u15. Exit status: 0 as described, 1 if the behavior has changed, 2 if it
# cannot be installed.
set -euo pipefail
packages=(caddy=2.6.2-5 curl=7.88.1-10+deb12u15)
work=$(mktemp -d)
servers=()
trap 'test ${#servers[@]} -eq 0 || kill "${servers[@]}"; rm -rf "$work"' EXIT
cd "$work"
{ apt-get download "${packages[@]}" || { apt-get update && apt-get download "${packages[@]}"; }; } >apt.log 2>&1 ||
    { echo "not installed: ${packages[*]}"; exit 2; }
for package in ./*.deb; do dpkg-deb -x "$package" .; done
echo "caddy $(usr/bin/caddy version), $(usr/bin/curl --version | sed -n '1s/ (.*//p')"

# An origin that loses its connection after one chunk of 50,000 bytes.
cat >origin.py <<'PYTHON'
import http.server

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (50_000, bytes(50_000)))
        self.close_connection = True

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 origin.py >port 2>origin.log &
servers+=($!)
for _ in {1..100}; do test -s port && break; sleep 0.1; done
origin=$(cat port)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >Caddyfile <<CADDY
{
    admin off
}
http://127.0.0.1:$port {
    reverse_proxy 127.0.0.1:$origin
}
CADDY
HOME=$work usr/bin/caddy run --adapter caddyfile --config Caddyfile >caddy.log 2>&1 &
servers+=($!)

fetch() {
    status=0
    usr/bin/curl --silent --retry 10 --retry-connrefused --retry-delay 1 --output file \
        --write-out "$1: HTTP %{http_code}, %{size_download} bytes, " "http://127.0.0.1:$2/file" || status=$?
    echo "exit $status"
}
fetch "from the origin" "$origin"
direct=$status
fetch "through caddy" "$port"
test $direct -eq 18 && test $status -eq 0 && test "$(stat -c %s file)" -eq 50000 || { echo "changed"; exit 1; }
echo "as described"
