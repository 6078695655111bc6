"""What .ci/docs checks beside docc.

docs.py symbols FOLDER   prepares the symbol graphs in FOLDER for docc, and fails when a public symbol has no documentation
docs.py links SITE       fails when a page of SITE or README.md links to something that does not exist, or a page of a
                         catalog to a file, which is not on the site
"""

import json
import pathlib
import re
import sys


def symbols(folder):
    undocumented = []
    for path in folder.glob("*/*.symbols.json"):
        # On Linux, Foundation's `URL` comes from a module that nobody imports by its name.
        text = path.read_text().replace('"FoundationEssentials"', '"Foundation"')
        path.unlink()
        path = path.with_name(path.name.replace("FoundationEssentials", "Foundation"))
        graph = json.loads(text)
        # For debuggers, not for readers.
        graph["symbols"] = [s for s in graph["symbols"] if s["pathComponents"][-1] != "customMirror"]
        path.write_text(json.dumps(graph))
        for symbol in graph["symbols"]:
            inherited = "::SYNTHESIZED::" in symbol["identifier"]["precise"]
            if "docComment" not in symbol and not inherited and symbol["kind"]["identifier"] != "swift.extension":
                undocumented.append(f"{graph['module']['name']}: {'.'.join(symbol['pathComponents'])} is not documented")
    return undocumented


def links(site):
    dead = []
    pages = list((site / "data").rglob("*.json"))
    for page in pages:
        for url in set(re.findall(r'"(?:url|path)":"(\\?/documentation[^"#]*)', page.read_text())):
            if not (site / f"data{url}.json".replace("\\/", "/")).exists():
                dead.append(f"{page.relative_to(site)} links to {url}, which does not exist")
    for page in pathlib.Path("Sources").rglob("*.docc/**/*.md"):
        for target in targets(page):
            if not target.startswith(("doc:", "#")):
                dead.append(f"{page} links to {target}; <doc:PAGE> links to a page")
    readme = pathlib.Path("README.md")
    for target in targets(readme):
        path, _, anchor = target.partition("#")
        file = pathlib.Path(path) if path else readme
        if not file.exists():
            dead.append(f"README.md links to {target}, which does not exist")
        elif anchor and anchor not in anchors(file):
            dead.append(f"README.md links to {target}, which is not a heading of {file}")
    return dead


def targets(file):
    """What a Markdown file links to by its own syntax, other sites left out."""
    text = re.sub(r"`[^`\n]+`", "", prose(file))
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


def anchors(file):
    """The anchors of a Markdown file's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.+)$", prose(file), flags=re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings]


def prose(file):
    """A Markdown file without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)


faults = {"symbols": symbols, "links": links}[sys.argv[1]](pathlib.Path(sys.argv[2]))
sys.exit("\n".join(sorted(faults)) or None)
