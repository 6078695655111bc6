"""More of what people have reported of downloaders and uploaders, and what a daily user met in November 2026; each kind is to be fixed, not only the case."""
import base64, hashlib, os, re, signal, subprocess, sys, time
from harness import *

BODY = bytes(i * 7 % 251 for i in range(300_000))
N, E1, AR = len(BODY), 'ETag: "1"', "Accept-Ranges: bytes"


def start(fields):
    found = re.match(r"bytes=(\d+)-", fields.get("range", ""))
    return int(found[1]) if found else None


def cut(connection, n=120_000):
    connection.sendall(f"HTTP/1.1 200 OK\r\n{E1}\r\n{AR}\r\nContent-Length: {N}\r\n\r\n".encode() + BODY[:n])
    time.sleep(0.2)
    return False


def show(b, n=160):
    return b.said.strip()[-n:]


def files_that_differ_in_normalization_are_sent(box):
    """Kntnt/kntnt-wp-skills #61: ü (U+00FC) and ü (u U+0308) are two files on Linux."""
    got = []
    def answer(c, m, p, h): got.append(p); respond(c, m, "201 Created")
    s = box.serve(answer); os.mkdir(box.folder + "/d")
    for n in ("\u00fc", "u\u0308"): open(box.folder + "/d/" + n, "w").write(n)
    bad = []
    open(box.folder + "/l", "w").write("d/\u00fc\nd/u\u0308\n")
    for a in (["-r", "d/."], ["d/\u00fc", "d/u\u0308"], ["-i", "l"]):
        got.clear(); code = box.run("upload", *a, s.url + "/w/")
        if sorted(got) != ["/w/%C3%BC", "/w/u%CC%88"]: bad.append((a[0], code, list(got)))
    if bad: return f"{bad} {show(box, 60)}"


def put_answered_by_207(box):
    """lookfirst/sardine #210, bitfireAT/dav4jvm #167; Apache 2.4.71 below a locked folder."""
    s = box.serve(lambda c, m, p, h: respond(c, m, "207 Multi-Status", "Content-Type: text/xml", content=b'<D:multistatus xmlns:D="DAV:"><D:response><D:href>/w/f</D:href><D:status>HTTP/1.1 424 Failed Dependency</D:status></D:response></D:multistatus>'))
    open(box.folder + "/f", "w").write("x")
    code = box.run("upload", "--retries", "0", "f", s.url + "/w/")
    if code == 0: return f"exit 0: {show(box)}"


def status_202_is_not_the_content(box):
    """A bot check answers 202 with a page, or with nothing (scDiffEq #112): not the file; a good file is not replaced by it."""
    server = box.serve(lambda c, m, p, h: respond(c, m, "202 Accepted", content=b"" if p == "/f" else b"{}"))
    open(box.folder + "/good", "w").write("good" * 100)
    codes = [box.run("--retries", "0", "-o", "new", server.url + "/f"), box.run("--retries", "0", "-o", "page", server.url + "/g"),
             box.run("--retries", "0", "--update", "-o", "good", server.url + "/f")]
    if 0 in codes or box.file("good") != b"good" * 100:
        return f"exits {codes}, {len(box.file('good'))} of 400 bytes left of the good file"


def one_suggested_name_for_several(box):
    """dandi-archive #102, downthemall #61: with --overwrite and --update, three of four files are lost."""
    bad = []
    for opt in ("--overwrite", "--update"):
        s = box.serve(lambda c, m, p, h: respond(c, m, "200 OK", 'Content-Disposition: attachment; filename="report.pdf"', content=p.encode() * 100))
        code = box.run("--content-disposition", opt, "-d", opt[2:], *[f"{s.url}/{i}" for i in range(4)])
        if code == 0 and len(box.names(opt[2:])) < 4: bad.append((opt, box.names(opt[2:]), show(box, 30)))
    return bad or None


def signed_put_without_content_type(box):
    """aws-sdk-js-v3 #1916, aws/aws-sdk #548: signatures of version 2 (S3, GCS, OSS) cover Content-Type."""
    seen = []
    def answer(c, m, p, h):
        seen.append(h.get("content-type")); respond(c, m, "403 Forbidden" if "content-type" in h else "200 OK")
    s = box.serve(answer); open(box.folder + "/f.bin", "w").write("x")
    codes = [box.run("upload", *a, "f.bin", s.url + "/b/k?Signature=x&Expires=1") for a in ([], ["-H", "Content-Type:"])]
    if codes[1]: return f"exits {codes}, sent {seen}: -H 'Content-Type:' does not suppress it"


def range_answered_in_pieces(box):
    """duo-updater #225: every 206 has at most 60,000 bytes, honestly (RFC 9110, 15.3.7); the whole GET is cut once."""
    def answer(c, m, p, h):
        s = start(h)
        if m == "HEAD": return respond(c, m, "200 OK", E1, AR, content=BODY)
        if s is not None:
            e = min(s + 60_000, N)
            return respond(c, m, "206 Partial Content", E1, f"Content-Range: bytes {s}-{e-1}/{N}", content=BODY[s:e])
        return cut(c)
    s = box.serve(answer)
    code = box.run("--retry-delay", "0.1", s.url + "/f")
    if code or box.file("f") != BODY: return f"exit {code}, ranges {[x[2].get('range') for x in s.log if x[0] == 'GET']} {show(box, 70)}"


def netrc_entry_of_the_user_in_the_url(box):
    """curl #15767 and its manual on --netrc: of two entries for a machine, that of the user whom the URL names."""
    def answer(c, m, p, h):
        ok = h.get("authorization") == "Basic " + base64.b64encode(b"b:two").decode()
        respond(c, m, "200 OK", content=b"x") if ok else respond(c, m, "401 Unauthorized", 'WWW-Authenticate: Basic realm="x"')
    s = box.serve(answer)
    open(box.folder + "/n", "w").write("machine 127.0.0.1 login a password one\nmachine 127.0.0.1 login b password two\n")
    url = s.url.replace("http://", "http://b@") + "/x"
    peer = subprocess.run(["curl", "-sf", "--netrc-file", "n", "-o", "c", url], cwd=box.folder).returncode
    code = box.run("--netrc", "-o", "x", url, environment={"NETRC": box.folder + "/n"})
    sent = [base64.b64decode(x[2]["authorization"][6:]).decode() for x in s.log if "authorization" in x[2]]
    if code: return f"exit {code} (curl {peer}), sent {sent}"


def signals_that_were_ignored_stay_ignored(box):
    """A background job of a script has SIGINT and SIGQUIT ignored (POSIX sh); SIGHUP under nohup is respected already."""
    def answer(c, m, p, h):
        c.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {N}\r\n\r\n".encode())
        if m == "HEAD": return
        for i in range(0, N, 60_000): c.sendall(BODY[i:i + 60_000]); time.sleep(0.3)
    s = box.serve(answer)
    r = subprocess.run(["sh", "-c", f"{box.tool} -q -o f {s.url}/f & p=$!; sleep 0.7; kill -INT $p; wait $p; echo $?"], cwd=box.folder, capture_output=True, timeout=20)
    if r.stdout.strip() != b"0": return f"exit {r.stdout.strip().decode()} (curl and wget: 0)"


def name_of_250_bytes(box):
    """ultimate-media-downloader-linux #57: a name of 241 to 255 bytes fits, only name.nqk.part does not."""
    s = box.serve(lambda c, m, p, h: respond(c, m, "200 OK", content=b"x"))
    code = box.run(s.url + "/" + "n" * 250)
    if code or box.file("n" * 250) is None: return f"exit {code}, names of {[len(n) for n in box.names()]} bytes, nothing said (-o and out= keep 250)"


def range_at_the_limit(box):
    """A Content-Range whose last position is the largest number: a bad response (exit 1), not the end of the process."""
    bad = []
    for status in ("206 Partial Content", "200 OK"):
        server = box.serve(lambda c, m, p, h: respond(c, m, status, "Content-Range: bytes 0-9223372036854775807/*", content=b"hello"))
        for arguments in (["--no-sizing"], [], ["sizes"]):
            code = box.run(*arguments[:1] if arguments == ["sizes"] else arguments, *([] if arguments == ["sizes"] else ["--retries", "0", "-d", str(time.time_ns())]), server.url + "/f")
            if code not in ((0, 1) if arguments == ["sizes"] else (1,)):
                bad.append((status[:3], arguments, code))
    return bad or None


def quota_told_by_ratelimit_alone(box):
    """60 requests in 4 s, then 429 with `RateLimit: "resolvers";r=0;t=N` and no Retry-After (as a hub of models does)."""
    state = {"from": time.time(), "count": 0, "refused": 0}
    def answer(c, m, p, h):
        now = time.time()
        if now - state["from"] >= 4:
            state["from"], state["count"] = now, 0
        state["count"] += 1
        if state["count"] > 60:
            state["refused"] += 1
            return respond(c, m, "429 Too Many Requests", f'RateLimit: "resolvers";r=0;t={int(4 - (now - state["from"])) + 1}')
        respond(c, m, "200 OK", content=p.encode())
    server = box.serve(answer)
    open(box.folder + "/l", "w").write("".join(f"{server.url}/f{i}\n" for i in range(120)))
    code = box.run("-j", "8", "-d", "o", "-i", "l", limit=120)
    there = len(box.names("o")) if os.path.isdir(box.folder + "/o") else 0
    if code or there < 120 or state["refused"] > 100:
        return f"exit {code}, {there} of 120 files, {state['refused']} × 429"


def one_bad_copy_is_asked_for_again(box):
    """A cache has one copy that is cut (200, whole by its own length); the next request gets the right one: with size= or checksum= it is asked for once more."""
    bad = []
    for field in (f"size={N}", "checksum=sha256:" + hashlib.sha256(BODY).hexdigest()):
        seen = []
        def answer(c, m, p, h):
            if m == "GET":
                seen.append(p)
            respond(c, m, "200 OK", content=BODY[:-13] if m == "GET" and len(seen) == 1 else BODY)
        server = box.serve(answer)
        open(box.folder + "/l", "w").write(f"{server.url}/f\t{field}\n")
        code = box.run("--retry-delay", "0.1", "-d", field[:4], "-i", "l")
        if code or box.file(field[:4] + "/f") != BODY:
            bad.append((field[:12], code, show(box, 80)))
    return bad or None


def shorter_than_head_said_under_one_tag(box):
    """HEAD tells size and strong tag; the first GET is a complete 200 under the same tag, 13 bytes shorter."""
    seen = []
    def answer(c, m, p, h):
        if m == "GET":
            seen.append(p)
        respond(c, m, "200 OK", E1, AR, content=BODY[:-13] if m == "GET" and len(seen) == 1 else BODY)
    code = box.run("--retry-delay", "0.1", box.serve(answer).url + "/f")
    if box.file("f") != BODY:
        return f"exit {code}, {len(box.file('f') or b'')} of {N} bytes, {len(seen)} GETs"


def proxy_of_the_environment_asks_for_a_login(box):
    """CONNECT is answered 407 by the proxy that https_proxy names (squid 5.7): a missing login, said at once, not retried."""
    server = box.serve(lambda c, m, p, h: (c.sendall(b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'), False)[1])
    begin = time.time()
    code = box.run("--retries", "2", "https://127.0.0.1:9/f", environment={"https_proxy": server.url, "no_proxy": ""}, limit=40)
    if "407" not in box.said or time.time() - begin > 3:
        return f"exit {code} after {time.time() - begin:.0f} s: {show(box, 120)}"


def list_to_a_fifo_that_nobody_reads(box):
    """--failed names a FIFO without a reader: a signal still ends the program."""
    os.mkfifo(box.folder + "/ff")
    server = box.serve(lambda c, m, p, h: respond(c, m, "404 Not Found"))
    process = subprocess.Popen([box.tool, "-q", "--retries", "0", "--failed", "ff", server.url + "/f"], cwd=box.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1.5)
    for _ in range(2):
        process.send_signal(signal.SIGTERM); time.sleep(0.5)
    if process.poll() is None:
        process.kill(); process.wait()
        return "two SIGTERM had no effect"


if __name__ == "__main__":
    main([f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == "__main__" and f.__code__.co_varnames[:1] == ("box",)])
