# Raw requests to a running volview, each with the status and the length of its answer: a command of volview_client.py.
"""The HTTP library under volview parses ranges and forms before it asks for a token, sends what lies behind the end of a content, and leaves a
body that it does not expect as the next request. What volview decides before is here: the bytes of a request, and what must come."""

import json
import re
import socket

from volview_checks import Check, is_alive
from volview_http import exchange

# '@' stands for the Host and the token, '~' for the Host alone.
JSON = "Content-Type: application/json\r\n"
FORM_FIELD = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\nv\r\n--x--\r\n'
FORM = "POST /camera HTTP/1.1\r\n~Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {}\r\n\r\n{}"


def make_form(letters):
    body = FORM_FIELD.format("a" * letters)
    return FORM.format(len(body), body)


# Refused, with or without the token: (status, request). The connection is closed after a short sentence.
REFUSED = [
    (416, "GET / HTTP/1.1\r\n~Range: bytes=" + "0-," * 2700 + "0-\r\n\r\n"),
    (416, "GET /film.vpf HTTP/1.1\r\n@Range: bytes=0-,0-\r\n\r\n"),
    (416, "GET /frame.png HTTP/1.1\r\n@Range: bytes=0-1,5-6\r\n\r\n"),
    (400, "GET /film.vpf HTTP/1.1\r\n@Range: bytes=0-1\r\nRange: bytes=5-6\r\n\r\n"),
    (415, make_form(7000)), (415, make_form(60000)), (415, FORM.format(70, "--x\r\nContent-Disposition: form-data; name=" + "a" * 30)),
    (415, "POST /camera HTTP/1.1\r\n@Content-Type: multipart/form-data; boundary=" + "x" * 8000 + "\r\nContent-Length: 2\r\n\r\n{}"),
    (415, "POST /camera HTTP/1.1\r\n@Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"),
    (415, "POST /camera HTTP/1.1\r\n@Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b"),
    (415, "POST /camera HTTP/1.1\r\n@Content-Length: 2\r\n\r\n{}"),
    (400, f"POST /camera HTTP/1.1\r\n@{JSON}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 2\r\n\r\n{{}}"),
    (400, f"POST /camera HTTP/1.1\r\n@{JSON}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{{}}"),
    (400, f"POST /camera HTTP/1.1\r\n@{JSON}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{{}}"),
    (400, f"POST /camera HTTP/1.1\r\n@{JSON}Content-Length: 2, 2\r\n\r\n{{}}"), (400, f"POST /camera HTTP/1.1\r\n@{JSON}Content-Length: -2\r\n\r\n{{}}"),
    (400, f"POST /camera HTTP/1.1\r\n@{JSON}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{{}}"),
    (411, f"POST /camera HTTP/1.1\r\n@{JSON}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"), (411, f"POST /camera HTTP/1.1\r\n@{JSON}\r\n"),
    (400, "GET /stats.json HTTP/1.1\r\n@Content-Length: 40\r\n\r\nGET /scene.json HTTP/1.1\r\n@\r\n"),
    (400, "GET /stats.json HTTP/1.1\r\n@Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /scene.json HTTP/1.1\r\n@\r\n"),
    (400, "HEAD /stats.json HTTP/1.1\r\n@Content-Length: 1\r\n\r\na"),
    (405, "PUT /camera HTTP/1.1\r\n@Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 2\r\n\r\n{}"),
    (405, "DELETE / HTTP/1.1\r\n@\r\n"), (405, "OPTIONS * HTTP/1.1\r\n@\r\n"), (405, "TRACE / HTTP/1.1\r\n@\r\n"), (405, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    (400, "GET /stats.json HTTP/1.1\r\n@Content-Length : 5\r\n\r\n"), (400, "GET /stats.json HTTP/1.1\r\n@A: b\r\n c\r\n\r\n"),
    (400, "GET /stats.json HTTP/1.1\r\n@A: b\nContent-Length: 5\r\n\r\n"), (400, "GET /stats.json HTTP/1.1\r\n@no colon\r\n\r\n"),
    (400, "GET /stats.json HTTP/1.1\r\n@A: \0\r\n\r\n"), (400, "nonsense\r\n\r\n"), (400, "\r\n\r\n"),
    (431, "GET / HTTP/1.1\r\n~A: " + "b" * 40000 + "\r\n\r\n"), (431, "GET /" + "a" * 40000 + " HTTP/1.1\r\n~\r\n"),
]

# Answered by the library: (status, request, most bytes of the body). None of them has a part of a refusal.
ANSWERED = [
    (403, "GET / HTTP/1.1\r\n~Range: bytes=0-1\r\n\r\n", 1000), (403, "GET /stats.json HTTP/1.1\r\n~Range: bytes=5-\r\n\r\n", 1000),
    (403, "GET / HTTP/1.1\r\n~Range: bytes=" + "1" * 8000 + "-\r\n\r\n", 1000), (403, f"POST /camera HTTP/1.1\r\n~{JSON}Content-Length: 2\r\n\r\n{{}}", 1000),
    (403, "GET / HTTP/1.1\r\n~Accept-Encoding: " + "gzip," * 1600 + "\r\n\r\n", 1000), (403, "GET /film.vpf HTTP/1.1\r\n~Range: bytes=0-\r\n\r\n", 1000),
    (403, "GET /?" + "a=b&" * 1900 + " HTTP/1.1\r\n~\r\n", 1000), (404, "GET /" + "a" * 8000 + " HTTP/1.1\r\n@\r\n", 1000),
    (414, "GET /" + "a" * 9000 + " HTTP/1.1\r\n@\r\n", 1000), (200, "HEAD /film.vpf HTTP/1.1\r\n@Range: bytes=0-9\r\n\r\n", 0),
    (200, "GET /stats.json HTTP/1.1\r\n@Range: bytes=0-1\r\n\r\n", 10000), (200, "GET /stats.json HTTP/1.1\r\n@Range: bytes=900000-\r\n\r\n", 10000),
    (200, "GET /slice.png?axis=z&index=0 HTTP/1.1\r\n@X-Volview-Range: bytes=0-1\r\n\r\n", 1000000),
]


def send_raw(server, request):
    """Status, headers and body of the answer, and how many answers came until the server closed the connection."""
    host = f"Host: {server.authority}\r\n"
    text = request.replace("@", f"{host}Authorization: Bearer {server.token}\r\n").replace("~", host)
    with server.connect() as connection:
        try:
            connection.sendall(text.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused before all was sent
        data = b""
        while piece := connection.recv(1 << 16):
            data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head.decode("latin-1").split("\r\n")[1:])}
    return int(head.split()[1]), fields, body, data.count(b"HTTP/1.1 ")


def check_ranges(server, check, path, whole):
    """Single ranges of a content; `whole` is None where it changes meanwhile."""
    size = len(whole if whole is not None else exchange(server, "GET", path).body)
    far = 10**6
    for text, first, last in (("0-0", 0, 0), ("5-9", 5, 9), (f"0-{size + far}", 0, None), (f"7-{size + far}", 7, None), ("3-", 3, None), ("0-", 0, None),
                              ("7-" + "9" * 4000, 7, None)):
        status, fields, body, _ = send_raw(server, f"GET {path} HTTP/1.1\r\n@Range: bytes={text}\r\n\r\n")
        what = f"{path} {text[:40]}"
        named = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", fields.get("content-range", ""))
        total = int(named[3]) if named else len(body)
        end = total - 1 if last is None else last
        check.expect(status == 206 and named, f"{what}: status {status}, {fields.get('content-range')}")
        check.expect(len(body) == int(fields["content-length"]) == end - first + 1, f"{what}: {len(body)} bytes of {total}")
        if named:
            check.expect((int(named[1]), int(named[2])) == (first, end), f"{what}: Content-Range {named[0]}")
        if whole is not None:
            check.expect(body == whole[first:end + 1], f"{what}: other bytes")
    for text in (f"{size + far}-", f"{size + far}-{size + 2 * far}", "9" * 8000 + "-", "-0"):
        status, fields, body, _ = send_raw(server, f"GET {path} HTTP/1.1\r\n@Range: bytes={text}\r\n\r\n")
        check.expect(status == 416 and json.loads(body)["error"] and len(body) < 20000, f"{path} {text[:40]}: status {status}, {len(body)} bytes")
        check.expect(re.fullmatch(r"bytes \*/\d+", fields.get("content-range", "")), f"{path} {text[:40]}: {fields.get('content-range')}")
    if whole is not None:
        status, _, body, _ = send_raw(server, f"GET {path} HTTP/1.1\r\n@Range: bytes={size}-\r\n\r\n")
        check.expect(status == 416, f"{path} {size}-: status {status}")
        status, _, body, _ = send_raw(server, f"GET {path} HTTP/1.1\r\n@Range: bytes={size - 1}-{size}\r\n\r\n")
        check.expect((status, body) == (206, whole[-1:]), f"{path}: the last byte and one more: status {status}, {len(body)} bytes")
        status, _, body, _ = send_raw(server, f"GET {path} HTTP/1.1\r\n@Range: bytes=-20\r\n\r\n")
        check.expect((status, body) == (206, whole[-20:]), f"{path}: the last 20: status {status}, {len(body)} bytes")


def raw(server, options):
    """Requests byte by byte, each with the status and the length that its answer has."""
    check = Check()
    for expected, request in REFUSED:
        status, fields, body, answers = send_raw(server, request)
        what = repr(request[:70])
        check.expect(status == expected, f"{what}: status {status}, not {expected}: {body[:100]!r}")
        check.expect(len(body) == (0 if request.startswith("HEAD") else int(fields["content-length"])) < 300, f"{what}: {len(body)} bytes")
        check.expect(request.startswith("HEAD") or json.loads(body)["error"], f"{what}: no error")
        check.expect(answers == 1 and fields.get("connection") == "close", f"{what}: {answers} answers, {fields.get('connection')}")
        check.expect(fields.get("x-content-type-options") == "nosniff" and "no-store" in fields.get("cache-control", "") and
                     "default-src 'none'" in fields.get("content-security-policy", ""), f"{what}: headers {fields}")
    for expected, request, most in ANSWERED:
        status, fields, body, _ = send_raw(server, request)
        what = repr(request[:70])
        check.expect(status == expected, f"{what}: status {status}, not {expected}: {body[:100]!r}")
        check.expect(len(body) <= most and "content-range" not in fields, f"{what}: {len(body)} bytes, {fields.get('content-range')}")
        check.expect(request.startswith("HEAD") or len(body) == int(fields["content-length"]), f"{what}: {len(body)} bytes of {fields['content-length']}")
    for path in ("/slice.png?axis=z&index=0", "/slice.png?axis=x&index=1"):
        check_ranges(server, check, path, exchange(server, "GET", path).body)
    for path in ("/frame.png", "/film.vpf", "/film.exr", "/film.png"):
        check_ranges(server, check, path, None)
    check.expect(is_alive(server), "the render stands still")
    return check.finish()
