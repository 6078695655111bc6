"""Makes an interface of a standard library's module for Linux fit for an Apple platform: interfaces.py TRIPLE INTERFACE"""

import re
import sys

triple, path = sys.argv[1:]
with open(path) as file:
    lines = file.read().split("\n")

# The flags in the first lines.
for index in range(5):
    lines[index] = re.sub(r"-target \S+-unknown-linux-gnu", f"-target {triple}", lines[index])
    lines[index] = lines[index].replace("-target-min-inlining-version min", "-target-min-inlining-version target")
    lines[index] = lines[index].replace("-library-level api", "")


def has_body(index):
    """Whether the declaration that starts with this line, after its attributes, has its body in the interface."""
    while True:
        line = re.sub(r"@\w+(\([^)]*\))?", "", lines[index])
        if re.search(r"\b(func|var|init|subscript)\b", line):
            return "{" in line
        index += 1


# What an older system is given by its program needs a body, which the interface for Linux often leaves out.
for index, line in enumerate(lines):
    if re.match(r"\s*@backDeployed\(", line) and not has_body(index):
        lines[index] = re.sub(r"@backDeployed\([^)]*\)", "", line)

text = "\n".join(lines)
text = re.sub(r"^import Glibc$", "import Darwin", text, flags=re.MULTILINE)
# Functions that the shims have for Linux alone.
text = text.replace("self = _stdlib_remainderl(self, other)", "fatalError()")
text = text.replace("self = _stdlib_squareRootl(self)", "fatalError()")
text = text.replace("_swift_stdlib_gettid()", "UInt32(0)")
print(text)
