"""Takes the headers of Apple's C library out of the wheel of ziglang: headers.py WHEEL FOLDER"""

import os
import sys
import zipfile

wheel, folder = sys.argv[1:]
inside = "ziglang/lib/libc/include/any-darwin-any/"
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if inside in name and not name.endswith("/"):
            path = os.path.join(folder, name.split(inside)[1])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                # One module has all headers: none is to ask for a module of its own.
                file.write(archive.read(name).replace(b"__has_feature(modules)", b"0"))
