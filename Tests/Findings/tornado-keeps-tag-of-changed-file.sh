#!/usr/bin/env bash
# Tornado's StaticFileHandler hashes a file once and keeps the hash by path as long as the process lives. When the
# file changes, its ETag does not: who asks with If-None-Match gets 304 for the old content, and who resumes with
# If-Range gets the rest of the new content as if it were the rest of the old. Last-Modified does change.
# PyPI: tornado 6.6.1. Exit status: 0 as described, 1 if the behavior has changed, 2 if it cannot be installed.
set -euo pipefail
package=tornado==6.6.1
work=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv && venv/bin/pip install -q --disable-pip-version-check "$package" ||
    { echo "not installed: $package"; exit 2; }
echo "$package"

mkdir files
cat >server.py <<'PYTHON'
import asyncio, tornado.httpserver, tornado.netutil, tornado.web

async def main():
    sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
    application = tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": "files"})])
    tornado.httpserver.HTTPServer(application).add_sockets(sockets)
    print(sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
PYTHON
printf 'old old old old\n' >files/file
touch -d '2026-01-01 00:00:00 UTC' files/file
venv/bin/python server.py >port 2>server.log &
server=$!
for _ in {1..100}; do test -s port && break; sleep 0.1; done

cat >client.py <<'PYTHON'
import http.client, os, sys

def get(**fields):
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    connection.request("GET", "/file", headers={name.replace("_", "-"): value for name, value in fields.items()})
    response = connection.getresponse()
    return response, response.read()

def show(what, response, body):
    tag, date = response.getheader("ETag", ""), response.getheader("Last-Modified")
    print(f"{what}: {response.status}, {body}, ETag {tag[:10]}…, {date}")

old, old_body = get()
show("before the change", old, old_body)
with open("files/file", "wb") as file:
    file.write(b"new new new new\n")
os.utime("files/file", (1_770_000_000, 1_770_000_000))
tag = old.getheader("ETag")
new, new_body = get()
show("after the change", new, new_body)
same, same_body = get(If_None_Match=tag)
show("If-None-Match: the old tag", same, same_body)
part, part_body = get(If_Range=tag, Range="bytes=8-")
show("If-Range: the old tag, bytes=8-", part, part_body)
print("a client that had 8 bytes has now:", old_body[:8] + part_body)
as_described = (
    new.getheader("ETag") == tag and new.getheader("Last-Modified") != old.getheader("Last-Modified")
    and new_body != old_body and same.status == 304 and part.status == 206 and part_body == new_body[8:])
print("as described" if as_described else "changed")
sys.exit(not as_described)
PYTHON
venv/bin/python client.py "$(cat port)"
