# What a running volview must refuse, and what its render must survive: commands of volview_client.py.

import json
import pathlib
import re
import socket
import sys
import threading
import time

from volview_http import TIMEOUT_S, Events, FrameWatch, Poster, exchange, fetch_json, make_request, orbit


class Check:
    """Collects what is not as expected."""

    def __init__(self):
        self.faults, self.count = [], 0

    def expect(self, is_right, text):
        self.count += 1
        if not is_right:
            self.faults.append(text)

    def finish(self):
        for fault in self.faults:
            print(fault, file=sys.stderr)
        print(f"{self.count} checks, {len(self.faults)} faults")
        return 1 if self.faults else 0


POLICY = ("default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
          "frame-ancestors 'none'")


def check_headers(check, answer, what):
    """Every answer, a refusal too, has the headers that keep pages of others out."""
    fields = dict(answer.headers)
    policy = fields.get("content-security-policy", "")
    check.expect(all(part in policy for part in POLICY) and "unsafe" not in policy, f"{what}: policy {policy!r}")
    check.expect(fields.get("referrer-policy") == "no-referrer", f"{what}: Referrer-Policy")
    check.expect(fields.get("x-content-type-options") == "nosniff", f"{what}: X-Content-Type-Options")
    check.expect("no-store" in fields.get("cache-control", ""), f"{what}: Cache-Control")
    check.expect("access-control-allow-origin" not in fields, f"{what}: other origins may read")


READ_PATHS = ("/", "/app.js", "/style.css", "/events", "/frame.png", "/film.vpf", "/film.exr", "/film.png", "/stats.json", "/scene.json",
              "/command.json", "/volume.json", "/slice.png?axis=x&index=0", "/slice.json?axis=x&index=0&x=0&y=0")
WRITE_PATHS = ("/camera", "/options", "/display", "/pick", "/patch", "/save", "/preview")


def check_tokens(server, check):
    token = server.token
    check.expect(re.fullmatch(r"[0-9a-f]{32,}", token), "the token has fewer than 128 bits")
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    cookie = dict(exchange(server, "GET", f"/?token={token}", headers={"Authorization": None}).headers).get("set-cookie", "")
    name = cookie.partition("=")[0]
    check.expect(re.match(r"volview-[^=;]+=", cookie) and f"={token}" in cookie, f"cookie {cookie!r}")
    for word in ("httponly", "samesite=strict", "path=/"):
        check.expect(word in cookie.lower(), f"cookie without {word}")
    strangers = [{"Authorization": None}, {"Authorization": f"Bearer {wrong}"}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {token}0"},
                 {"Authorization": f"Bearer {token[:-1]}"}, {"Authorization": token}, {"Authorization": f"Basic {token}"},
                 {"Authorization": None, "Cookie": f"{name}={wrong}"}, {"Authorization": None, "Cookie": f"volview-0={token}"},
                 {"Authorization": None, "Cookie": f"x{name}={token}"}, {"Authorization": None, "Cookie": token}]
    for stranger in strangers:
        for path in ("/", "/stats.json"):
            answer = exchange(server, "GET", path, headers=stranger)
            check.expect(answer.status == 403, f"GET {path} with {stranger}: status {answer.status}")
            check.expect(token.encode() not in answer.body, f"GET {path} with {stranger}: the answer holds the token")
            check_headers(check, answer, f"refusal of {path}")
    for path in READ_PATHS:
        answer = exchange(server, "GET", path, headers=strangers[0])
        check.expect(answer.status == 403, f"GET {path} without token: status {answer.status}")
    for path in WRITE_PATHS:
        answer = exchange(server, "POST", path, b"{}", strangers[0])
        check.expect(answer.status == 403, f"POST {path} without token: status {answer.status}")
        answer = exchange(server, "POST", f"{path}?token={token}", b"{}", strangers[0])
        check.expect(answer.status == 403, f"POST {path}?token= : status {answer.status}")
    for query in (f"token={wrong}", "token=", f"token={token}0", f"x={token}"):
        answer = exchange(server, "GET", f"/?{query}", headers={"Authorization": None})
        check.expect(answer.status == 403 and "set-cookie" not in dict(answer.headers), f"GET /?{query}: status {answer.status}")
    answer = exchange(server, "GET", f"/stats.json?token={token}", headers={"Authorization": None})
    check.expect(answer.status == 403, f"the token in the address of /stats.json: status {answer.status}")
    for headers in ({}, {"Authorization": None, "Cookie": f"{name}={token}"}, {"Authorization": None, "Cookie": f"a=b; {name}={token}; c=d"}):
        for path in ("/", "/app.js", "/style.css", "/stats.json", "/scene.json", "/command.json", "/volume.json"):
            answer = exchange(server, "GET", path, headers=headers)
            check.expect(answer.status == 200, f"GET {path} with {list(headers)}: status {answer.status}")
            check.expect(token.encode() not in answer.body, f"{path} holds the token")
            check_headers(check, answer, path)


def check_hosts(server, check):
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "localhost.evil.example", "localhost@evil.example",
                 "127.0.0.2", "0.0.0.0", "", "localhost:", "localhost:80x", "[::1", "localhost, evil.example"):
        answer = exchange(server, "GET", "/stats.json", headers={"Host": host})
        check.expect(answer.status == 403, f"Host {host!r}: status {answer.status}")
    answer = exchange(server, "GET", "/stats.json", headers={"Host": None})
    check.expect(answer.status in (400, 403), f"no Host: status {answer.status}")
    for host in ("localhost", "localhost:8000", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:99"):
        answer = exchange(server, "GET", "/stats.json", headers={"Host": host})
        check.expect(answer.status == 200, f"Host {host!r}: status {answer.status}")
    for origin in ("http://evil.example", f"https://{server.authority}", "null", f"http://{server.authority}.evil.example", "http://localhost:1",
                   f"http://{server.authority}/"):
        answer = exchange(server, "POST", "/pick", {"x": 0.5, "y": 0.5}, {"Origin": origin})
        check.expect(answer.status == 403, f"Origin {origin!r}: status {answer.status}")
    answer = exchange(server, "POST", "/pick", {"x": 0.5, "y": 0.5}, {"Origin": f"http://{server.authority}"})
    check.expect(answer.status == 200, f"Origin of the page: status {answer.status}")
    answer = exchange(server, "POST", "/pick", {"x": 0.5, "y": 0.5}, {"Origin": "http://localhost:8000", "Host": "localhost:8000"})
    check.expect(answer.status == 200, f"Origin of a forwarded port: status {answer.status}")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
        answer = exchange(server, "POST", "/pick", {"x": 0.5, "y": 0.5}, {"Content-Type": kind})
        check.expect(400 <= answer.status < 500, f"Content-Type {kind!r}: status {answer.status}")
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        answer = exchange(server, method, "/camera", headers={"Content-Length": "0"})
        check.expect(400 <= answer.status < 500, f"{method} /camera: status {answer.status}")


def strangers(server, options):
    check = Check()
    check_tokens(server, check)
    check_hosts(server, check)
    return check.finish()


CAMERA = {"origin": [3, 4, 5], "target": [0, 0, 0], "up": [0, 0, 1], "moving": False}
MALFORMED_TEXTS = (b"", b" ", b"nonsense", b"{", b"{}}", b"[]", b"null", b"3", b'"text"', b"{'x':1}", b'{"x":1,}', b'{"x":NaN}', b"\xff\xfe{}", b"\0",
                   b'{"\xff":1}', b'{"x":1e999}', b"[" * 20000, b'{"a":' * 10000, b'{"set":{"g":"\xff\xff"}}')
MALFORMED = {
    "/camera": [{"origin": [1, 2]}, {"origin": "1,2,3"}, CAMERA | {"origin": [1, 2, "3"]}, CAMERA | {"origin": [1, 2, None]},
                CAMERA | {"origin": [1e300, 0, 1e300]}, CAMERA | {"target": [3, 4, 5]}, CAMERA | {"up": [0, 0, 0]},
                CAMERA | {"up": [3, 4, 5]}, CAMERA | {"fov": 0}, CAMERA | {"fov": 180}, CAMERA | {"fov": -1}, CAMERA | {"fov": "40"},
                CAMERA | {"ortho": 0}, CAMERA | {"ortho": -1}, CAMERA | {"ortho": 1e300}, CAMERA | {"fov": 40, "ortho": 2}, CAMERA | {"moving": 3},
                CAMERA | {"origin": [1, 2, 3, 4]}],
    "/options": [{}, {"set": []}, {"set": 3}, {"set": {"g": 0.5}}, {"set": {"g": "2"}}, {"set": {"g": "nan"}}, {"set": {"g": ""}},
                 {"set": {"scale": "-1"}}, {"set": {"scale": "inf"}}, {"set": {"resolution": "0x9"}}, {"set": {"resolution": "9"}},
                 {"set": {"resolution": "1000000x1000000"}}, {"set": {"output": "x.vpf"}}, {"set": {"resume": "x.vpf"}}, {"set": {"config": "/etc/passwd"}},
                 {"set": {"env": "/etc/passwd"}}, {"set": {"env": "sky.exr"}}, {"set": {"threads": "3"}}, {"set": {"port": "3"}},
                 {"set": {"token-file": "x"}}, {"set": {"nonsense": "1"}}, {"set": {"boundary": "shiny"}}, {"set": {"int-ior": "0"}},
                 {"set": {"g": "0.2", "scale": "-1"}}, {"set": {"g": ["0.5"]}}, {"set": {"origin": "1,2"}}],
    "/display": [{"exposure": "a"}, {"exposure": 1e300}, {"tone": "film"}, {"illuminant": "moon"}, {"band": 99}, {"band": -2}, {"band": 0.5}, {"band": "0"},
                 {"denoise": "maybe"}, {"denoise": True}, {"denoise": None}],
    "/pick": [{}, {"x": 0.5}, {"x": 2, "y": 0}, {"x": -0.1, "y": 0}, {"x": "0", "y": 0}, {"x": 0.5, "y": 1e300}],
    "/patch": [{}, {"x0": 0, "y0": 0, "x1": 2, "y1": 1}, {"x0": "a", "y0": 0, "x1": 1, "y1": 1}, {"x0": 0, "y0": 0, "x1": 1}],
    "/save": [{}, {"kind": "vpk"}, {"kind": "../x"}, {"kind": 3}, {"kind": None}, {"kind": ["vpf"]}],
    "/preview": [{"opacity": "a:b"}, {"opacity": 3}, {"opacity": "0:1"}, {"opacity": "1:0,0:1"}, {"opacity": "0:-1,1:1"}, {"albedo": "0:2,1:2"},
                 {"crop": [0, 0, 0]}, {"crop": "all"}, {"crop": [0, 0, 0, 1, 1, "1"]}, {"crop": [1, 1, 1, 0, 0, 0]}],
}
MALFORMED_QUERIES = ("/slice.png?axis=w&index=0", "/slice.png?axis=x&index=-1", "/slice.png?axis=x&index=1000000000", "/slice.png?axis=x&index=a",
                     "/slice.png?axis=x", "/slice.png", "/slice.png?axis=x&index=99999999999999999999999", "/slice.json?axis=x&index=0",
                     "/slice.json?axis=x&index=0&x=-1&y=0", "/slice.json?axis=x&index=0&x=0&y=1e9", "/slice.json?axis=x&index=0&x=nan&y=0")


def malformed(server, options):
    check = Check()
    camera = {key: value for key, value in fetch_json(server, "/scene.json").items() if key in ("camera", "options", "display", "preview")}

    def expect_refusal(answer, what, *statuses):
        check.expect(answer.status in statuses, f"{what}: status {answer.status}: {answer.body[:100]!r}")
        try:
            check.expect(answer.json()["error"], f"{what}: no error")
        except (ValueError, KeyError, TypeError):
            check.expect(False, f"{what}: the answer is no JSON with an error: {answer.body[:100]!r}")

    for path in WRITE_PATHS:
        for body in MALFORMED_TEXTS:
            expect_refusal(exchange(server, "POST", path, body), f"POST {path} {body[:30]!r}", 400)
        for value in MALFORMED[path]:
            expect_refusal(exchange(server, "POST", path, value), f"POST {path} {value}", 400)
        expect_refusal(exchange(server, "POST", path, b" " * (64 * 1024 + 1)), f"POST {path} of 64 KiB and a byte", 413)
    for path in MALFORMED_QUERIES:
        expect_refusal(exchange(server, "GET", path), f"GET {path}", 400)
    for path in ("/nothing", "/../etc/passwd", "/page/index.html", "/film.vpk", "/main.cc", "/%2e%2e/main.cc", "//"):
        expect_refusal(exchange(server, "GET", path), f"GET {path}", 404)
    expect_refusal(exchange(server, "POST", "/nothing", b"{}"), "POST /nothing", 404)
    after = fetch_json(server, "/scene.json")
    for key, value in camera.items():
        check.expect(after[key] == value, f"refused requests changed {key}: {value} -> {after[key]}")
    return check.finish()


RAW_REQUESTS = (b"\r\n\r\n", b"nonsense\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\0" * 1000, b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20000 + b"\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"b" * 200000 + b"\r\n\r\n",
                b"POST /camera HTTP/1.1\r\n@Content-Length: -5\r\n\r\n{}", b"POST /camera HTTP/1.1\r\n@Content-Length: 99999999999999999999\r\n\r\n{}",
                b"POST /camera HTTP/1.1\r\n@Content-Length: 5x\r\n\r\n{}", b"POST /camera HTTP/1.1\r\n@Content-Length: 500\r\n\r\n{",
                b"POST /camera HTTP/1.1\r\n@Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"POST /camera HTTP/1.1\r\n@Transfer-Encoding: chunked\r\n\r\n2\r\n{}",
                b"POST /camera HTTP/1.1\r\n@Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}", b"GET /film.vpf HTTP/1.1\r\n@Range: bytes=5-1\r\n\r\n",
                b"GET /frame.png HTTP/1.1\r\n@Range: bytes=0-,0-,0-,0-,0-,0-\r\n\r\n", b"GET /stats.json HTTP/1.1\r\n")


def is_alive(server, seconds=TIMEOUT_S):
    """Whether the render goes on: the number of samples or pictures grows."""
    try:
        first, end = fetch_json(server, "/stats.json"), time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.1)
            now = fetch_json(server, "/stats.json")
            if now["samples"] > first["samples"] or now["change"] != first["change"]:
                return not now.get("failure")
    except OSError as error:
        print(error, file=sys.stderr)
    return False


def cut(server, options):
    """Connections that end in the middle of everything."""
    check = Check()
    common = f"Host: {server.authority}\r\nAuthorization: Bearer {server.token}\r\nContent-Type: application/json\r\n".encode()
    for raw in RAW_REQUESTS:
        with server.connect() as connection:
            connection.settimeout(0.3)
            try:
                connection.sendall(raw.replace(b"@", common))
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1000)
            except OSError:
                pass
        check.expect(is_alive(server), f"after {raw[:60]!r} the render stands still")
    for path in ("/events", "/film.vpf", "/film.exr", "/frame.png"):
        for _ in range(4):
            with server.connect(4096) as connection:
                connection.sendall(make_request(server, "GET", path))
                connection.recv(100)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # ends with a reset
    check.expect(is_alive(server), "after cut answers the render stands still")
    return check.finish()


def stall(server, options):
    """Clients that ask for events and never read them; others get theirs."""
    check = Check()
    stalled = [server.connect(4096) for _ in range(options.clients)]
    for connection in stalled:
        connection.sendall(make_request(server, "GET", "/events"))
    camera, poster, watch = fetch_json(server, "/scene.json")["camera"], Poster(server), FrameWatch(server)
    began, turns = time.monotonic(), 0
    while time.monotonic() < began + options.seconds:
        turns += 1
        change = poster.post("/camera", orbit(camera, 0.1 * turns) | {"moving": True})["change"]
        check.expect(watch.wait_for(lambda frame, change=change: frame["change"] >= change, TIMEOUT_S), "a frame did not come beside stalled clients")
    poster.post("/camera", orbit(camera, 0) | {"moving": False})
    check.expect(is_alive(server), "beside stalled clients the render stands still")
    watch.close()
    for connection in stalled:
        connection.close()
    return check.finish()


def flood(server, options):
    """Many requests at once, and connections that say nothing; the server refuses what it cannot take, and goes on."""
    check, camera, silent = Check(), fetch_json(server, "/scene.json")["camera"], []
    end, counts = time.monotonic() + options.seconds, []

    def send():
        done, refused = 0, 0
        while time.monotonic() < end:
            try:
                status = [exchange(server, "POST", "/camera", orbit(camera, 0.01 * done) | {"moving": True}).status,
                          exchange(server, "GET", "/stats.json").status]
                done += 1
                refused += sum(code != 200 for code in status)
            except OSError:
                refused += 1
        counts.append((done, refused))

    threads = [threading.Thread(target=send) for _ in range(options.clients)]
    for thread in threads:
        thread.start()
    for _ in range(options.silent):
        try:
            silent.append(server.connect())
        except OSError:
            break
    for thread in threads:
        thread.join()
    for connection in silent:
        connection.close()
    check.expect(sum(done for done, _ in counts) > 0, "no request was answered")
    check.expect(is_alive(server), "after the flood the render stands still")
    print(f"{sum(done for done, _ in counts)} pairs of requests, {sum(refused for _, refused in counts)} refused")
    return check.finish()


def read_anonymous_kilobytes(pid):
    """Memory of the process's own: VmRSS counts the pages of mapped volumes as well, of which a camera that turns touches more and more."""
    return int(re.search(r"^RssAnon:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)[1])


def swell(server, options):
    """Heads and unwanted bodies without end, from clients without the token: they are cut off, and no memory is kept for them."""
    check, piece, most_mb, begin = Check(), b"a" * (1 << 20), 48, read_anonymous_kilobytes(options.pid)
    for head in (b"GET /", b"GET / HTTP/1.1\r\nX: ", b"POST /camera HTTP/1.1\r\nHost: localhost\r\nX-Y:", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 100000):
        with server.connect() as connection:
            try:
                connection.sendall(head)
                for _ in range(most_mb):
                    connection.sendall(piece)
                check.expect(False, f"{head[:40]!r} and {most_mb} MiB are taken")
            except OSError:
                check.expect(True, "")
        grown = read_anonymous_kilobytes(options.pid) - begin
        check.expect(grown < 16000, f"after {head[:40]!r} and more the server has grown by {grown} kB")
    check.expect(is_alive(server), "after long heads the render stands still")
    return check.finish()


def hoard(server, options):
    """Clients with the token that fetch films and do not take them: one more is refused, pictures come, and places become free again."""
    check = Check()
    for _ in range(5):  # a machine that is busy drops the first, which take nothing for 5 s, before the last is there
        start, held = time.monotonic(), [server.connect(4096) for _ in range(4)]
        for connection in held:
            connection.sendall(make_request(server, "GET", "/film.vpf"))
        for connection in held:
            connection.recv(100)
        status = exchange(server, "GET", "/film.vpf").status
        if status == 503 or time.monotonic() - start < 4:
            break
        for connection in held:
            connection.close()
    check.expect(status == 503, "a fifth film is sent")
    check.expect(exchange(server, "GET", "/frame.png").status == 200, "no picture comes while films are sent")
    for connection in held:
        connection.close()
    check.expect(exchange(server, "GET", "/film.vpf").status == 200, "no film comes after the others have gone")
    return check.finish()


class Drip:
    """Connections without the token that send a byte at a time and never end; those that the server closes are replaced."""

    STARTS = (b"", b"GET / HTTP/1.1\r\nX: ", b"POST /camera HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n")

    def __init__(self, server, count):
        self.server, self.count, self.connections, self.opened = server, count, [], 0

    def drop(self):
        """One byte from each; OSError if the server does not listen and none is left."""
        for connection in self.connections[:]:
            try:
                connection.send(b"a")
            except OSError:
                self.connections.remove(connection)
        while len(self.connections) < self.count:
            try:
                connection = self.server.connect()
                connection.send(self.STARTS[self.opened % len(self.STARTS)])
            except OSError:
                if not self.connections:
                    raise
                return
            self.connections.append(connection)
            self.opened += 1


def drip(server, options):
    """Sends until the server is gone, at most so long."""
    drips, end = Drip(server, options.clients), time.monotonic() + options.seconds
    try:
        while time.monotonic() < end:
            drips.drop()
            print(drips.opened, flush=True)
            time.sleep(0.5)
    except OSError:
        return 0
    print(f"after {options.seconds} s the server still holds connections", file=sys.stderr)
    return 1


def crowd(server, options):
    """More connections without the token than the server has threads: those with the token are answered."""
    check, drips = Check(), Drip(server, options.silent)
    slowest = 0
    for _ in range(5):
        drips.drop()
        began = time.monotonic()
        for path in ("/stats.json", "/scene.json", "/frame.png"):
            answer = exchange(server, "GET", path)
            check.expect(answer.status == 200, f"in a crowd {path}: status {answer.status}")
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.2)
    check.expect(slowest < 5, f"in a crowd three answers took {slowest:.2f} s")
    check.expect(is_alive(server), "in a crowd the render stands still")
    print(f"{drips.opened} connections, three answers in {slowest:.2f} s at most")
    return check.finish()


def many(server, options):
    """Clients up to the limit get frames, the next one is refused, and a place that becomes free is given again."""
    check = Check()
    watches = [FrameWatch(server) for _ in range(options.clients)]
    for watch in watches:
        check.expect(watch.wait_for(lambda frame: True, TIMEOUT_S), "a client got no frame")
    refused = Events(server)
    check.expect(refused.status == 503, f"one client too many: status {refused.status}")
    refused.close()
    check.expect(fetch_json(server, "/stats.json"), "no other request is answered while all places are taken")
    watches.pop().close()
    end, status = time.monotonic() + 10, 503
    while status == 503 and time.monotonic() < end:
        time.sleep(0.1)
        again = Events(server)
        status = again.status
        again.close()
    check.expect(status == 200, f"after a client has gone: status {status}")
    for watch in watches:
        watch.close()
    return check.finish()
