#!/usr/bin/env bash
# A program that links the Swift standard library and Foundation statically still needs the shared libcurl on the machine
# where it runs, as soon as it imports FoundationNetworking: URLSession is built on libcurl, and the toolchain brings no
# static one. In a slim container, where there is none, the program does not start. A library that opens libcurl at run
# time cannot make it optional as long as it uses URLRequest. Without FoundationNetworking the same program needs no
# libcurl.
# Swift 6.3.1 for Linux, Debian 12. Exit status: 0 as described, 1 if the behavior has changed, 2 without that toolchain.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
swift --version 2>/dev/null | grep -q "Swift version 6\.3\.1 " || { echo "not installed: Swift 6.3.1"; exit 2; }
swift --version 2>/dev/null | sed -n 1p

cat >plain.swift <<'SWIFT'
import Foundation
print(URL(string: "http://127.0.0.1/a")?.path ?? "")
SWIFT
cat >networking.swift <<'SWIFT'
import Foundation
import FoundationNetworking
print(URLRequest(url: URL(string: "http://127.0.0.1/a")!).httpMethod ?? "")
SWIFT
for name in plain networking; do
    swiftc -static-stdlib $name.swift -o $name 2>/dev/null
    ./$name >/dev/null
    libraries=$(ldd $name | sed -nE 's/^\s*(lib(curl|swift|Foundation)[^ ]*).*/\1/p' | sort -u | tr '\n' ' ')
    echo "$name.swift, linked statically, needs: ${libraries:-neither libcurl nor a library of Swift}"
    printf '%s' "$libraries" >$name.needs
done
if test -z "$(cat plain.needs)" && test "$(cat networking.needs)" = "libcurl.so.4 "; then
    echo "as described"
else
    echo "changed"
    exit 1
fi
