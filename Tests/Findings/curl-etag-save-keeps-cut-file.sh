#!/usr/bin/env bash
# curl --etag-save stores the ETag of a response whose content was cut. The same command again sends it as
# If-None-Match, gets 304 and succeeds, and the short file stays: a mirror that is run twice reports success for half
# a file.
# Debian 12: curl 7.88.1-10+deb12u15. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot be
# installed.
set -euo pipefail
package=curl=7.88.1-10+deb12u15
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
{ apt-get download -q "$package" || { apt-get update -q && apt-get download -q "$package"; }; } >apt.log 2>&1 &&
    dpkg-deb -x ./curl_*.deb . || { echo "not installed: $package"; exit 2; }
curl=$work/usr/bin/curl
"$curl" --version | head -1

# A file of 100,000 bytes, whose first transfer breaks off after 50,000.
cat >server.py <<'PYTHON'
import http.server, sys

class Handler(http.server.BaseHTTPRequestHandler):
    cut = True

    def do_GET(self):
        if self.headers["If-None-Match"] == '"v1"':
            self.send_response(304)
            self.send_header("ETag", '"v1"')
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("ETag", '"v1"')
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.wfile.write(bytes(50_000 if Handler.cut else 100_000))
        Handler.cut = False

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 server.py >port 2>server.log &
server=$!
for _ in {1..100}; do test -s port && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)/file

fetch() {
    "$curl" --silent --show-error --etag-save etag --etag-compare etag --output file \
        --write-out 'HTTP %{http_code}, ' "$url"
}
for run in first second; do
    status=0
    fetch || status=$?
    echo "$run run: exit $status, $(stat -c %s file) of 100000 bytes, stored tag: $(cat etag)"
done
test $status -eq 0 && test "$(stat -c %s file)" -eq 50000 || { echo "changed"; exit 1; }
echo "as described: the second run succeeds and leaves the short file"
