#!/usr/bin/env python3
# Listens where volview --tev sends, as tev would, and checks what comes. Needs Python's standard library alone.
"""tev_listener.py PORT OUT [--pictures N] [--until WIDTHxHEIGHT] [--stall SECONDS]

PORT 0 takes a free one. The port is written to OUT.port once it listens. Takes one connection, and ends after N whole pictures (default 1), which have the
size of --until if it is given. OUT.raw is then the last one, its channels one after another, little-endian floats, and OUT.json says what came. `samples` there
follows from channel A, the part of so many samples that hit something. With --stall, it takes the connection, reads nothing for so long, and ends. Exit
status: 0 as expected, 1 not so."""

import argparse
import array
import json
import pathlib
import socket
import struct
import sys
import time

TIMEOUT_S = 60
LONGEST_MESSAGE = 1 << 20
CREATE, UPDATE = 4, 6


class Reader:
    """The fields of one message after its length and type."""

    def __init__(self, body):
        self.body, self.place = body, 0

    def numbers(self, form):
        values = struct.unpack_from("<" + form, self.body, self.place)
        self.place += struct.calcsize("<" + form)
        return values

    def text(self):
        end = self.body.index(b"\0", self.place)
        text, self.place = self.body[self.place:end].decode(), end + 1
        return text

    def floats(self):
        values = array.array("f", self.body[self.place:])
        if sys.byteorder == "big":
            values.byteswap()
        self.place = len(self.body)
        return values


class Picture:
    def __init__(self, reader):
        self.grabs_focus, = reader.numbers("B")
        self.name = reader.text()
        self.width, self.height, count = reader.numbers("3i")
        assert 0 < self.width <= 1 << 16 and 0 < self.height <= 1 << 16 and 0 < count <= 64, (self.width, self.height, count)
        self.names = [reader.text() for _ in range(count)]
        assert reader.place == len(reader.body), "bytes after a CreateImage"
        self.channels = {name: array.array("f", bytes(4 * self.width * self.height)) for name in self.names}
        self.covered = bytearray(self.width * self.height)

    def update(self, reader):
        """True if the picture is whole with this tile."""
        focus, = reader.numbers("B")
        assert focus == 0 and reader.text() == self.name
        count, = reader.numbers("i")
        names = [reader.text() for _ in range(count)]
        assert names == self.names, names
        x, y, width, height = reader.numbers("4i")
        assert 0 <= x < x + width <= self.width and 0 <= y < y + height <= self.height, (x, y, width, height)
        offsets, strides = reader.numbers(f"{count}q"), reader.numbers(f"{count}q")
        values = reader.floats()
        assert len(values) == 1 + max(offset + (width * height - 1) * stride for offset, stride in zip(offsets, strides))
        for name, offset, stride in zip(names, offsets, strides):
            tile = values[offset:offset + (width * height - 1) * stride + 1:stride]
            for row in range(height):
                first = (y + row) * self.width + x
                self.channels[name][first:first + width] = tile[row * width:(row + 1) * width]
        for row in range(y, y + height):
            first = row * self.width + x
            assert not any(self.covered[first:first + width]), "a pixel came twice before the picture was whole"
            self.covered[first:first + width] = b"\1" * width
        if not all(self.covered):
            return False
        self.covered = bytearray(len(self.covered))
        return True

    def find_samples(self):
        """The least number of samples of which all shares are whole numbers; None without channel A, or if they are very many."""
        if "A" not in self.channels:
            return None
        shares = {share for share in self.channels["A"] if 0 < share < 1}
        return next((n for n in range(1, 100000) if all(abs(share * n - round(share * n)) < 1e-6 * n for share in shares)), None)

    def write(self, path):
        with path.open("wb") as file:
            for name in self.names:
                values = self.channels[name][:]
                if sys.byteorder == "big":
                    values.byteswap()
                values.tofile(file)


def read_message(stream):
    length, kind = struct.unpack("<IB", stream.read(5))
    assert 5 <= length <= LONGEST_MESSAGE, length
    body = stream.read(length - 5)
    assert len(body) == length - 5, "the stream ends within a message"
    return kind, Reader(body)


def listen(stream, options):
    picture, sizes, whole = None, [], 0
    while True:
        kind, reader = read_message(stream)
        if kind == CREATE:
            picture = Picture(reader)
            assert picture.grabs_focus == (not sizes), "tev comes to the front at the first picture alone"
            assert [picture.width, picture.height] != (sizes[-1] if sizes else None), "made anew without a reason"
            sizes.append([picture.width, picture.height])
            continue
        assert kind == UPDATE and picture, kind
        is_wanted = not options.until or f"{picture.width}x{picture.height}" == options.until
        whole += picture.update(reader) and is_wanted
        if whole >= options.pictures:
            return picture, {"name": picture.name, "channels": picture.names, "sizes": sizes, "pictures": whole,
                             "samples": picture.find_samples()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--pictures", type=int, default=1)
    parser.add_argument("--until")
    parser.add_argument("--stall", type=float, default=0)
    options = parser.parse_args()
    with socket.create_server(("127.0.0.1", options.port)) as server:
        server.settimeout(TIMEOUT_S)
        port_file = options.out.with_suffix(".new")
        port_file.write_text(f"{server.getsockname()[1]}\n")
        port_file.rename(options.out.with_suffix(".port"))
        connection, _ = server.accept()
    with connection:
        connection.settimeout(TIMEOUT_S)
        if options.stall:
            time.sleep(options.stall)
            return
        picture, report = listen(connection.makefile("rb"), options)
    picture.write(options.out.with_suffix(".raw"))
    options.out.with_suffix(".json").write_text(json.dumps(report) + "\n")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
