"""The servers of .ci/servers: how each is installed and started, and what may be expected of it."""
from dataclasses import dataclass, field

NGINX = ("nginx -e $DIR/error.log -c $DIR/nginx.conf", {"nginx.conf": """
daemon off; pid $DIR/nginx.pid; user root;
events {}
http { access_log off; client_body_temp_path $DIR/body; server { listen 127.0.0.1:$PORT; root $ROOT; } }
"""})

# Applications for Python's servers. Their arguments are the folder and the port.
HEADER = "import sys\nroot, port = sys.argv[1], int(sys.argv[2])\n"
NO_RANGES = "no ranges"
MISSING = "def missing(_, start):\n    start('404 Not Found', [('Content-Length', '0')])\n    return []\n"
STARLETTE = """
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
app = Starlette(routes=[Mount("/", StaticFiles(directory=root))])
"""
# A quota that only `RateLimit` tells. Each request for a file adds its status to the file `answers`.
FILES, ALLOWED, WINDOW = 300, 60, 4
QUOTA = f"allowed, window = {ALLOWED}, {WINDOW}" + """
import http.server, math, threading, time
lock, end, left = threading.Lock(), 0, 0
answers = open("answers", "w", buffering=1)
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    def do_GET(self):
        global end, left
        with lock:
            now = time.monotonic()
            if now >= end:
                end, left = now + window, allowed
            status = 404 if self.path == "/absent" else 200 if left else 429
            if status != 404:
                left -= status == 200
                answers.write(f"{status}\\n")
            state = left, math.ceil(end - now)
        content = self.path.encode() if status == 200 else b"no file\\n"
        self.send_response(status)
        self.send_header("RateLimit-Policy", '"files";q=%d;w=%d' % (allowed, window))
        self.send_header("RateLimit", '"files";r=%d;t=%d' % state)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)
    do_HEAD = do_GET
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""
UVICORN = "import uvicorn\nuvicorn.run(app, host='127.0.0.1', port=port, log_level='error')\n"
WAITRESS = "import waitress\nwaitress.serve(app, host='127.0.0.1', port=port)\n"


@dataclass
class Server:
    """How a server is installed and started, as templates, and the reasons to expect less of it than of others."""
    name: str
    debian: str = ""
    pypi: str = ""
    command: str = "$PYTHON $DIR/app.py $ROOT $PORT"
    files: dict = field(default_factory=dict)
    # A Python application, instead of `files`.
    app: str = ""
    # The server behind a proxy: command and files.
    origin: tuple = ()
    # The path before a file's own path in its URL.
    prefix: str = ""
    # The server sends no Last-Modified, so running the same command again cannot compare the files.
    undated: bool = False
    # The reason why a part cannot be resumed.
    starts_over: str = ""
    # For this many seconds after a change, the server sends the new bytes with the old tag, date or size.
    settles: int = 0
    # It does so for minutes; only a checksum helps.
    stale: bool = False
    # What is tried with it: methods of `Trial`.
    steps: tuple = ("tree", "again", "split", "resume", "change")

    def __post_init__(self):
        if self.app:
            self.files = {"app.py": HEADER + self.app}


SERVERS = [
    Server("nginx", "nginx-light", command=NGINX[0], files=NGINX[1]),
    Server("Apache", "apache2-bin", command="apache2 -X -f $DIR/apache.conf", files={"apache.conf": """
ServerRoot /usr/lib/apache2
ServerName localhost
Listen 127.0.0.1:$PORT
PidFile $DIR/apache.pid
DefaultRuntimeDir $DIR
ErrorLog $DIR/error.log
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
DocumentRoot $ROOT
"""}),
    Server("lighttpd", "lighttpd", settles=3, command="lighttpd -D -f $DIR/lighttpd.conf", files={"lighttpd.conf": """
server.bind = "127.0.0.1"
server.port = $PORT
server.document-root = "$ROOT"
mimetype.assign = ( "" => "application/octet-stream" )
"""}),
    Server("caddy", "caddy", command="caddy run --adapter caddyfile --config $DIR/Caddyfile", files={"Caddyfile": """
{
    admin off
}
http://127.0.0.1:$PORT {
    root * $ROOT
    encode gzip
    file_server
}
"""}),
    Server("h2o", "h2o", command="h2o -c $DIR/h2o.conf", files={"h2o.conf": """
listen: {host: 127.0.0.1, port: $PORT}
user: root
num-threads: 2
hosts: {default: {paths: {/: {file.dir: $ROOT}}}}
"""}),
    Server("busybox httpd", "busybox", command="busybox httpd -f -p 127.0.0.1:$PORT -h $ROOT"),
    Server("webfs", "webfs", command="webfsd -F -i 127.0.0.1 -p $PORT -r $ROOT"),
    Server("civetweb", "civetweb", command="civetweb -document_root $ROOT -listening_ports 127.0.0.1:$PORT"),
    Server("mini-httpd", "mini-httpd", starts_over=NO_RANGES,
           command="mini_httpd -D -h 127.0.0.1 -p $PORT -d $ROOT -i $DIR/pid -u root"),
    Server("micro-httpd", "micro-httpd", starts_over=NO_RANGES, app="""
import socketserver, subprocess
class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        subprocess.run(["/usr/sbin/micro-httpd", root], stdin=self.request, stdout=self.request)
socketserver.ThreadingTCPServer(("127.0.0.1", port), Handler).serve_forever()
"""),
    Server("weborf", "weborf", undated=True, command="weborf -i 127.0.0.1 -p $PORT -b $ROOT"),
    Server("yaws", "yaws", command="yaws -i --conf $DIR/yaws.conf", files={"yaws.conf": """
logdir = $DIR
<server localhost>
    port = $PORT
    listen = 127.0.0.1
    docroot = $ROOT
</server>
"""}),
    Server("WEBrick", "ruby-webrick ruby", starts_over="no date in its 206",
           command="ruby -run -e httpd $ROOT -b 127.0.0.1 -p $PORT"),
    Server("PHP", "php-cli", undated=True, starts_over=NO_RANGES, command="php -S 127.0.0.1:$PORT -t $ROOT"),
    Server("Mojolicious", "libmojolicious-perl",
           command="perl $DIR/app.pl daemon -l http://127.0.0.1:$PORT", files={"app.pl": """
use Mojolicious::Lite;
app->static->paths(['$ROOT']);
app->start;
"""}),
    Server("rclone http", "rclone", stale=True, command="rclone serve http $ROOT --addr 127.0.0.1:$PORT"),
    Server("rclone webdav", "rclone", stale=True, command="rclone serve webdav $ROOT --addr 127.0.0.1:$PORT"),
    Server("Tomcat", "tomcat10 openjdk-17-jre-headless", settles=6,
           command="java -Dcatalina.home=/usr/share/tomcat10 -Dcatalina.base=$DIR -cp "
           "/usr/share/tomcat10/bin/bootstrap.jar:/usr/share/tomcat10/bin/tomcat-juli.jar "
           "org.apache.catalina.startup.Bootstrap start", files={"conf/server.xml": """
<Server port="-1"><Service name="Catalina"><Connector port="$PORT" address="127.0.0.1"/>
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="none">
<Context path="" docBase="$ROOT"/></Host></Engine></Service></Server>
""", "conf/web.xml": "/etc/tomcat10/web.xml"}),
    Server("Jetty", "jetty9 openjdk-17-jre-headless",
           command="java -cp /usr/share/jetty9/lib/* org.eclipse.jetty.xml.XmlConfiguration $DIR/jetty.xml",
           files={"jetty.xml": """
<!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "http://www.eclipse.org/jetty/configure_9_3.dtd">
<Configure id="Server" class="org.eclipse.jetty.server.Server">
<Call name="addConnector"><Arg><New class="org.eclipse.jetty.server.ServerConnector"><Arg><Ref refid="Server"/></Arg>
<Set name="host">127.0.0.1</Set><Set name="port">$PORT</Set></New></Arg></Call>
<Set name="handler"><New class="org.eclipse.jetty.server.handler.ResourceHandler">
<Set name="resourceBase">$ROOT</Set><Set name="etags">true</Set></New></Set>
<Call name="start"/></Configure>
"""}),
    Server("squid", "squid", origin=NGINX, command="squid -N -n s$PORT -f $DIR/squid.conf", files={"squid.conf": """
http_port 127.0.0.1:$PORT accel no-vhost defaultsite=localhost
cache_peer 127.0.0.1 parent $ORIGIN 0 no-query originserver
http_access allow all
cache_mem 64 MB
maximum_object_size_in_memory 32 MB
pid_filename $DIR/squid.pid
cache_log $DIR/cache.log
access_log none
shutdown_lifetime 0 seconds
"""}),
    Server("varnish", "varnish", origin=NGINX,
           command="varnishd -F -a 127.0.0.1:$PORT -b 127.0.0.1:$ORIGIN -n $DIR/varnish -s malloc,64m -j none"),
    Server("haproxy", "haproxy", origin=NGINX, command="haproxy -f $DIR/haproxy.cfg", files={"haproxy.cfg": """
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
listen files
    bind 127.0.0.1:$PORT
    server origin 127.0.0.1:$ORIGIN
"""}),
    Server("Traffic Server", "trafficserver", origin=NGINX, command="env TS_RUNROOT=$DIR traffic_server", files={
        "runroot.yaml": "bindir: /usr/bin\nsysconfdir: $DIR\nlibexecdir: /usr/lib/trafficserver/modules\n"
                        "runtimedir: $DIR\nlogdir: $DIR\ncachedir: $DIR\n",
        "records.config": "CONFIG proxy.config.http.server_ports STRING $PORT:ip-in=127.0.0.1\n"
                          "CONFIG proxy.config.admin.user_id STRING trafficserver\n",
        "remap.config": "map / http://127.0.0.1:$ORIGIN/\n", "storage.config": "$DIR 64M\n",
        "ip_allow.yaml": "/etc/trafficserver/ip_allow.yaml"}),
    Server("http.server", starts_over=NO_RANGES,
           command="$PYTHON -m http.server --bind 127.0.0.1 --directory $ROOT $PORT"),
    Server("http.server with content after HEAD", starts_over=NO_RANGES, app="""
import functools, http.server
class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    do_HEAD = http.server.SimpleHTTPRequestHandler.do_GET
http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=root)).serve_forever()
"""),
    Server("aiohttp", pypi="aiohttp==3.14.5", app="""
from aiohttp import web
app = web.Application()
app.router.add_static("/", root)
web.run_app(app, host="127.0.0.1", port=port, access_log=None)
"""),
    Server("Twisted", pypi="twisted==26.10.0",
           command="$BIN/twistd --nodaemon --pidfile= web --path $ROOT --listen tcp:$PORT:interface=127.0.0.1"),
    Server("Tornado", pypi="tornado==6.6.1", app="""
import asyncio, tornado.web
async def main():
    tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": root})]).listen(port, "127.0.0.1")
    await asyncio.Event().wait()
asyncio.run(main())
"""),
    Server("WhiteNoise on waitress", pypi="whitenoise==6.12.0 waitress==3.0.2", app=MISSING + """
from whitenoise import WhiteNoise
app = WhiteNoise(missing, root=root, autorefresh=True)
""" + WAITRESS),
    Server("Werkzeug on waitress", starts_over=NO_RANGES, pypi="werkzeug==3.1.9 waitress==3.0.2", app=MISSING + """
from werkzeug.middleware.shared_data import SharedDataMiddleware
app = SharedDataMiddleware(missing, {"/": root})
""" + WAITRESS),
    Server("CherryPy", pypi="cherrypy==18.10.0", app="""
import cherrypy
cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": port, "engine.autoreload.on": False})
cherrypy.quickstart(None, "/", {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": root}})
"""),
    Server("bottle", pypi="bottle==0.13.4", app="""
import bottle
@bottle.route("/<path:path>")
def file(path):
    return bottle.static_file(path, root)
bottle.run(host="127.0.0.1", port=port, quiet=True)
"""),
    Server("Flask", pypi="flask==3.1.3", app="""
import flask
flask.Flask("files", static_folder=root, static_url_path="").run(host="127.0.0.1", port=port)
"""),
    Server("Flask on gunicorn", pypi="flask==3.1.3 gunicorn==27.0.1",
           command="env FILES=$ROOT $BIN/gunicorn --chdir $DIR --bind 127.0.0.1:$PORT --threads 4 app:app",
           files={"app.py": """
import flask, os
app = flask.Flask("files", static_folder=os.environ["FILES"], static_url_path="")
"""}),
    Server("Django runserver", starts_over=NO_RANGES, pypi="django==5.2.19", app="""
import django
from django.conf import settings
from django.core.management import call_command
from django.urls import re_path
from django.views.static import serve
settings.configure(DEBUG=True, ROOT_URLCONF=__name__, SECRET_KEY="-")
urlpatterns = [re_path("^(?P<path>.*)$$", serve, {"document_root": root})]
if __name__ == "__main__":
    django.setup()
    call_command("runserver", f"127.0.0.1:{port}", use_reloader=False)
"""),
    Server("sanic", pypi="sanic==25.12.1", app="""
from sanic import Sanic
app = Sanic("files")
app.static("/", root, use_content_range=True)
app.run(host="127.0.0.1", port=port, single_process=True, access_log=False, motd=False)
"""),
    Server("Starlette on uvicorn", pypi="starlette==1.10.0 uvicorn==0.54.0", app=STARLETTE + UVICORN),
    Server("Starlette on hypercorn", pypi="starlette==1.10.0 hypercorn==0.18.0", app=STARLETTE + """
import asyncio, hypercorn.asyncio, hypercorn.config
config = hypercorn.config.Config()
config.bind = f"127.0.0.1:{port}"
asyncio.run(hypercorn.asyncio.serve(app, config))
"""),
    Server("Falcon on uvicorn", pypi="falcon==4.4.0 uvicorn==0.54.0", app="""
import falcon.asgi
app = falcon.asgi.App()
app.add_static_route("/", root)
""" + UVICORN),
    Server("Litestar on uvicorn", starts_over=NO_RANGES, pypi="litestar==2.25.0 uvicorn==0.54.0", app="""
from litestar import Litestar
from litestar.static_files import create_static_files_router
app = Litestar([create_static_files_router("/", [root])])
""" + UVICORN),
    Server("granian", undated=True, starts_over=NO_RANGES, pypi="granian==2.8.7", prefix="/static",
           command="$BIN/granian --working-dir $DIR --interface wsgi --host 127.0.0.1 --port $PORT "
                   "--static-path-mount $ROOT app:app", files={"app.py": MISSING.replace("missing", "app")}),
    Server("WsgiDAV on cheroot", pypi="wsgidav==4.4.0 cheroot==11.1.2",
           command="$BIN/wsgidav --host 127.0.0.1 --port $PORT --root $ROOT --auth anonymous --no-config"),
    Server("uploadserver", starts_over=NO_RANGES, pypi="uploadserver==6.0.5",
           command="$PYTHON -m uploadserver --bind 127.0.0.1 --directory $ROOT $PORT"),
    Server("quota", app=QUOTA, steps=("quota",)),
]
