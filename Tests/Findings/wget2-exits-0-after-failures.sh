#!/usr/bin/env bash
# wget2 exits with 0 after 403, 429 and 503, after a body that was cut, and after a refused connection; its manual
# promises 8 for error responses and 4 for failures of the network, which wget 1.21 keeps to. A job that trusts the
# exit status takes a failed batch for a complete one.
# Debian 12: wget2 1.99.1-2.2. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot be
# installed.
set -euo pipefail
packages=(wget2=1.99.1-2.2 libwget0=1.99.1-2.2 libgpgme11=1.18.0-3+deb12u1 libassuan0=2.5.5-5)
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
{ apt-get download "${packages[@]}" || { apt-get update && apt-get download "${packages[@]}"; }; } >apt.log 2>&1 ||
    { echo "not installed: ${packages[*]}"; exit 2; }
for package in ./*.deb; do dpkg-deb -x "$package" .; done
libraries=$work/usr/lib:$work/usr/lib/x86_64-linux-gnu
wget2() { LD_LIBRARY_PATH=$libraries "$work/usr/bin/wget2" --no-config --tries=1 "$@"; }
wget2 --version | head -1

# /503 answers with that status; /cut promises 900 bytes, sends 9 and closes.
cat >server.py <<'PYTHON'
import http.server

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        cut = self.path == "/cut"
        self.send_response(200 if cut else int(self.path[1:]))
        self.send_header("Content-Length", "900" if cut else "9")
        self.end_headers()
        self.wfile.write(b"no, sorry")

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 server.py >port 2>server.log &
server=$!
for _ in {1..100}; do test -s port && break; sleep 0.1; done

changed=
try() {
    local status=0
    wget2 --output-document=out "$2" >output 2>&1 || status=$?
    echo "$1: exit $status: $(grep -v '^\[0\] Downloading' output | head -1)"
    test $status -eq 0 || changed=yes
}
for status in 403 429 503 cut; do try "$status" "http://127.0.0.1:$(cat port)/$status"; done
kill "$server"
wait "$server" 2>/dev/null || true
server=
try "refused" "http://127.0.0.1:$(cat port)/200"
test -z "$changed" || { echo "changed"; exit 1; }
echo "as described: each exits with 0"
