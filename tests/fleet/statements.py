# SPDX-License-Identifier: MIT
"""Between a client of ClickHouse and its servers: stops the client before a chosen statement."""
import http.client
import http.server
import threading
import urllib.parse


class Statements:
    """Notes the statements that change something. Before number `at`, calls `stop`. With `is_lost`,
    neither this statement nor a later one reaches a server."""

    def __init__(self, url):
        self.url = url
        self.at = 0
        self.stop = None
        self.seen = []    # statements that change something, since begin()
        self.is_lost = False
        self.lock = threading.Lock()
        self.servers = []
        scheme, rest = url.split("//")
        places, name = rest.split("/", 1)
        own = [self._serve(place) for place in places.split(",")]
        self.own_url = f"{scheme}//{','.join(own)}/{name}"

    def begin(self, at, stop, is_lost=False):
        self.at, self.stop, self.is_lost, self.seen = at, stop, is_lost, []

    def close(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def _may_be_sent(self, sql):
        """Of a statement of the client."""
        is_chosen = False
        if sql.lstrip().startswith(("ALTER", "INSERT")):
            with self.lock:
                self.seen.append(sql)
                is_chosen = len(self.seen) == self.at
        if is_chosen:
            self.stop()
        return not self.is_lost or len(self.seen) < self.at

    def _serve(self, place):
        statements = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def body(self):
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", 0)))
                pieces = []
                while size := int(self.rfile.readline(), 16):
                    pieces.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(pieces)

            def do_POST(self):    # noqa: N802, of the base class
                body = self.body()
                query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
                sql = query["query"][0] if "query" in query else body.decode()
                if not statements._may_be_sent(sql):
                    self.close_connection = True
                    return
                server = http.client.HTTPConnection(place, timeout=600)
                server.request("POST", self.path, body)
                answer = server.getresponse()
                text = answer.read()
                server.close()
                try:
                    self.send_response(answer.status)
                    code = answer.getheader("X-ClickHouse-Exception-Code")
                    if code:
                        self.send_header("X-ClickHouse-Exception-Code", code)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    self.close_connection = True    # the client was killed

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.servers.append(server)
        return f"127.0.0.1:{server.server_address[1]}"
