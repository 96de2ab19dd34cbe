# HTTP and server-sent events with a running volview, over plain sockets: imported by volview_client.py and volview_checks.py.
"""Pictures are neither copied nor decoded, so that reading them costs next to nothing."""

import json
import math
import pathlib
import re
import socket
import threading
import time
import urllib.parse

TIMEOUT_S = 30


class Server:
    """Where a volview listens, and its token."""

    def __init__(self, text, token_file=None):
        path = pathlib.Path(text)
        if not text.startswith("http") and path.is_file():
            text = path.read_text()
        answer = json.loads(text) if text.lstrip().startswith("{") else {"address": re.search(r"http://\S+", text)[0]}
        address = urllib.parse.urlsplit(answer["address"])
        self.host, self.port = address.hostname, address.port
        file = token_file or answer.get("token_file")
        self.token = pathlib.Path(file).read_text().strip() if file else urllib.parse.parse_qs(address.query)["token"][0]
        self.authority = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def connect(self, receive_bytes=None):
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0]
        connection = socket.socket(*found[:3])
        if receive_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        connection.settimeout(TIMEOUT_S)
        connection.connect(found[4])
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


def make_request(server, method, path, body=b"", headers=None):
    """Bytes of a request; headers replace the usual ones, and None leaves one out."""
    fields = {"Host": server.authority, "Authorization": f"Bearer {server.token}"}
    if method == "POST":
        fields |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    fields |= headers or {}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items() if value is not None), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def read_head(stream):
    line = stream.readline()
    if not line:
        raise ConnectionError("the server closed the connection without an answer")
    status, headers = int(line.split()[1]), []
    while (line := stream.readline().rstrip(b"\r\n")):
        name, _, value = line.decode("latin-1").partition(":")
        headers.append((name.strip().lower(), value.strip()))
    return status, headers


def read_chunks(stream):
    """The chunks of a body as they come, whichever way it is sent."""
    while (line := stream.readline()):
        size = int(line.split(b";")[0], 16)
        data = stream.read(size)
        stream.readline()
        if size == 0:
            return
        yield data


def read_answer(stream):
    status, headers = read_head(stream)
    fields = dict(headers)
    if fields.get("transfer-encoding", "").lower() == "chunked":
        body = b"".join(read_chunks(stream))
    elif "content-length" in fields:
        body = stream.read(int(fields["content-length"]))
    else:
        body = stream.read()
    return Answer(status, headers, body)


def exchange(server, method, path, body=b"", headers=None):
    """One request over a connection of its own."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    with server.connect() as connection:
        connection.sendall(make_request(server, method, path, body, {"Connection": "close"} | (headers or {})))
        return read_answer(connection.makefile("rb"))


def fetch_json(server, path):
    answer = exchange(server, "GET", path)
    if answer.status != 200:
        raise ConnectionError(f"GET {path}: status {answer.status}: {answer.body[:200]!r}")
    return answer.json()


class Poster:
    """POSTs over one connection that stays open; a new one where the server has closed it."""

    def __init__(self, server):
        self.server, self.connection = server, None

    def post(self, path, value):
        body = json.dumps(value).encode()
        for attempt in (0, 1):
            if self.connection is None:
                self.connection = self.server.connect()
                self.stream = self.connection.makefile("rb")
            try:
                self.connection.sendall(make_request(self.server, "POST", path, body))
                answer = read_answer(self.stream)
            except (ConnectionError, BrokenPipeError):
                self.connection = None
                if attempt:
                    raise
                continue
            if dict(answer.headers).get("connection", "").lower() == "close":
                self.connection.close()
                self.connection = None
            if answer.status != 200:
                raise ConnectionError(f"POST {path}: status {answer.status}: {answer.body[:200]!r}")
            return answer.json()


class Events:
    """The stream of GET /events. The pictures inside of frames are neither copied nor decoded."""

    def __init__(self, server, receive_bytes=None):
        self.connection = server.connect(receive_bytes)
        self.connection.sendall(make_request(server, "GET", "/events"))
        self.stream = self.connection.makefile("rb", buffering=1 << 18)
        self.status, self.headers = read_head(self.stream)
        self.bytes = 0

    def close(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)  # another thread may be reading
        except OSError:
            pass
        self.connection.close()

    def read_pieces(self):
        if dict(self.headers).get("transfer-encoding", "").lower() == "chunked":
            yield from read_chunks(self.stream)
        else:
            while (data := self.stream.read1(1 << 18)):
                yield data

    def __iter__(self):
        """Yields name, time of arrival, data (without its image) of one event after the other."""
        pending, searched = bytearray(), 0
        for piece in self.read_pieces():
            self.bytes += len(piece)
            pending += piece
            while (end := pending.find(b"\n\n", max(0, searched - 1))) >= 0:
                arrived = time.monotonic()
                name = re.search(rb"^event: *(\S+)", pending[:200], re.MULTILINE)
                start = pending.find(b"data:", 0, end)
                if name and start >= 0:
                    yield name[1].decode(), arrived, self.read_data(bytes(pending[start + 5:end]))
                del pending[:end + 2]
                searched = 0
            searched = len(pending)

    @staticmethod
    def read_data(data):
        name = re.search(rb'"image": *"', data)
        if name:
            end = data.find(b'"', name.end())
            return json.loads(data[:name.end()] + data[end:]) | {"image": end - name.end()}
        return json.loads(data)


class FrameWatch:
    """Reads the events of one client in a thread of its own."""

    def __init__(self, server):
        self.events = Events(server)
        if self.events.status != 200:
            raise ConnectionError(f"GET /events: status {self.events.status}")
        self.frames, self.changed = [], threading.Condition()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            for name, arrived, data in self.events:
                if name == "frame":
                    with self.changed:
                        self.frames.append((arrived, data))
                        self.changed.notify_all()
        except (OSError, ValueError):
            pass  # closed

    def wait_for(self, is_wanted, seconds):
        """The first frame that is wanted, or None."""
        end, seen = time.monotonic() + seconds, 0
        with self.changed:
            while True:
                for frame in self.frames[seen:]:
                    if is_wanted(frame[1]):
                        return frame
                seen, left = len(self.frames), end - time.monotonic()
                if left <= 0:
                    return None
                self.changed.wait(left)

    def close(self):
        self.events.close()
        self.thread.join(5)


def subtract(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def orbit(camera, angle):
    """The camera, turned by an angle about the axis `up` through its target."""
    up, offset = camera["up"], subtract(camera["origin"], camera["target"])
    length = math.sqrt(dot(up, up))
    axis, c, s = [x / length for x in up], math.cos(angle), math.sin(angle)
    turned = [o * c + w * s + a * dot(axis, offset) * (1 - c) for o, w, a in zip(offset, cross(axis, offset), axis)]
    return {"origin": [t + o for t, o in zip(camera["target"], turned)], "target": camera["target"], "up": up}
