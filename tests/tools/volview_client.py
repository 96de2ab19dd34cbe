#!/usr/bin/env python3
# Speaks HTTP to a running volview: fetches, checks refusals, measures. Needs Python's standard library alone.
"""volview_client.py SERVER COMMAND [options]

SERVER is what volview printed: the address itself, or a file with its line (text or --json). With volview --token-file, the token is read
from the file that the JSON line names, or from --token-file. The commands start nothing and end nothing. Exit status: 0 as expected,
1 not so (stderr says what), 2 usage."""

import argparse
import json
import math
import pathlib
import sys
import time

from volview_checks import crowd, cut, drip, flood, hoard, malformed, many, read_anonymous_kilobytes, stall, strangers, swell
from volview_http import TIMEOUT_S, FrameWatch, Poster, Server, exchange, fetch_json, orbit
from volview_raw import raw


def find_quantile(sorted_values, share):
    return sorted_values[min(len(sorted_values) - 1, math.ceil(share * len(sorted_values)) - 1)] if sorted_values else None


def summarize_ms(seconds):
    ordered = sorted(seconds)
    return {name: round(1000 * value, 2) if value is not None else None for name, value in
            {"median": find_quantile(ordered, 0.5), "p95": find_quantile(ordered, 0.95), "max": ordered[-1] if ordered else None}.items()} | {
                "count": len(ordered)}


def measure(server, options):
    """Drives the camera as a mouse would; frames per second, and the time from a POST to the first frame of that change, and to the first denoised one of
    the full size."""
    camera = fetch_json(server, "/scene.json")["camera"]
    watch, poster = FrameWatch(server), Poster(server)
    if not watch.wait_for(lambda frame: True, TIMEOUT_S):
        raise ConnectionError("no frame came")
    sent, began = [], time.monotonic()
    while (now := time.monotonic()) < began + options.seconds:
        angle = math.radians(options.degrees_per_second) * (now - began)
        change = poster.post("/camera", orbit(camera, angle) | {"moving": True})["change"]
        sent.append((now, change))
        time.sleep(max(0, now + 1 / options.rate - time.monotonic()))
    ended = time.monotonic()
    poster.post("/camera", orbit(camera, 0) | {"moving": False})
    frames = [frame for frame in watch.frames if began <= frame[0] <= ended]
    moving = [frame for frame in frames if frame[1]["change"] >= sent[0][1]]
    from_orbit = []
    following = iter(watch.frames[:])
    frame = next(following, None)
    for posted, change in sent:
        while frame and frame[1]["change"] < change:
            frame = next(following, None)
        if frame:
            from_orbit.append(frame[0] - posted)
    # One move after the picture has come to rest at its full size.
    from_rest, denoised = [], []
    is_denoising = fetch_json(server, "/scene.json")["display"]["denoise"] == "on"
    for move in range(options.moves):
        watch.wait_for(lambda frame, newest=len(watch.frames): not frame["reduced"], TIMEOUT_S)
        time.sleep(options.rest)
        posted = time.monotonic()
        change = poster.post("/camera", orbit(camera, math.radians(2 * (move + 1))) | {"moving": True})["change"]
        found = watch.wait_for(lambda frame, change=change: frame["change"] >= change, TIMEOUT_S)
        if found:
            from_rest.append(found[0] - posted)
        posted = time.monotonic()
        change = poster.post("/camera", orbit(camera, 0) | {"moving": False})["change"]
        found = is_denoising and watch.wait_for(
            lambda frame, change=change: frame["change"] >= change and frame["denoised"] and not frame["reduced"], TIMEOUT_S)
        if found:
            denoised.append(found[0] - posted)
    watch.close()
    statistics = fetch_json(server, "/stats.json")
    sizes = sorted({(frame[1]["width"], frame[1]["height"]) for frame in moving})
    report = {
        "device": statistics.get("device"), "kernel": statistics.get("kernel"), "seconds": round(ended - began, 3),
        "cameras_per_second": round(len(sent) / (ended - began), 2), "frames_per_second": round(len(moving) / (ended - began), 2),
        "views_per_second": round(len({frame[1]["change"] for frame in moving}) / (ended - began), 2),
        "reduced_share": round(sum(bool(frame[1]["reduced"]) for frame in moving) / len(moving), 3) if moving else None,
        "width_min": sizes[0][0] if sizes else None, "height_min": sizes[0][1] if sizes else None,
        "width_max": sizes[-1][0] if sizes else None, "height_max": sizes[-1][1] if sizes else None,
        "image_kilobytes_mean": round(sum(frame[1]["image"] for frame in moving) / len(moving) / 1000, 1) if moving else None,
        "latency_orbiting_ms": summarize_ms(from_orbit), "latency_from_rest_ms": summarize_ms(from_rest),
        "denoised_ms": summarize_ms(denoised),
    }
    print(json.dumps(report, indent=2))
    return 0 if moving else 1


def load(server, options):
    """Clients that read all frames while the camera turns; the server's anonymous memory (RssAnon) meanwhile. What grows only at first is no leak,
    nor is what comes and goes: growth is that of the least reading from the third quarter of the time to the last. Each round
    lasts twice as long as the one before: a leak grows more in each, an allocator that is still filling its caches less."""
    watches = [FrameWatch(server) for _ in range(options.clients)]
    for watch in watches:
        if not watch.wait_for(lambda frame: True, TIMEOUT_S):
            raise ConnectionError("a client got no frame")
    camera, poster = fetch_json(server, "/scene.json")["camera"], Poster(server)

    def turn(seconds):
        began = time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            poster.post("/camera", orbit(camera, now - began) | {"moving": True})
            time.sleep(1 / options.rate)

    turn(options.settle)
    allowed = None if options.grows_at_most_mb is None else 1000 * options.grows_at_most_mb
    for number in range(options.rounds):
        anonymous, began, counts = [read_anonymous_kilobytes(options.pid)], time.monotonic(), [len(watch.frames) for watch in watches]
        while time.monotonic() < began + options.seconds * 2**number:
            turn(min(1, options.seconds))
            anonymous.append(read_anonymous_kilobytes(options.pid))
        elapsed, counts = time.monotonic() - began, [len(watch.frames) - count for watch, count in zip(watches, counts)]
        quarter = max(1, len(anonymous) // 4)
        grown = min(anonymous[-quarter:]) - min(anonymous[-2 * quarter:-quarter])
        if allowed is None or grown <= allowed:
            break
        print(f"anonymous memory grew by {grown} kB from the third quarter of the time to the last: {anonymous}", file=sys.stderr)
    poster.post("/camera", orbit(camera, 0) | {"moving": False})
    for watch in watches:
        watch.close()
    print(json.dumps({"clients": options.clients, "seconds": round(elapsed, 2), "anonymous_begin_kilobytes": anonymous[0],
                      "anonymous_end_kilobytes": anonymous[-1], "anonymous_max_kilobytes": max(anonymous),
                      "late_growth_kilobytes": grown, "frames_per_client": counts,
                      "frames_per_second_per_client": round(sum(counts) / len(counts) / elapsed, 2)}, indent=2))
    if allowed is not None and grown > allowed:
        return 1
    return 0 if min(counts) > 0 else 1


def get(server, options):
    answer = exchange(server, "GET", options.path)
    if options.output and answer.status == 200:
        pathlib.Path(options.output).write_bytes(answer.body)
    else:
        sys.stdout.buffer.write(answer.body)
    return finish_exchange(answer, options)


def post(server, options):
    answer = exchange(server, "POST", options.path, options.body.encode())
    print(json.dumps(answer.json()))  # in one line
    return finish_exchange(answer, options)


def finish_exchange(answer, options):
    if answer.status == options.status:
        return 0
    print(f"{options.path}: status {answer.status}, expected {options.status}", file=sys.stderr)
    return 1


def wait(server, options):
    """Until the picture at its full size has so many samples per pixel."""
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        now = fetch_json(server, "/stats.json")
        if now["samples"] >= options.samples and not now.get("reduced"):
            print(now["samples"])
            return 0
        time.sleep(0.05)
    print(f"after {options.seconds} s: {now}", file=sys.stderr)
    return 1


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--token-file")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(function, text, *arguments):
        command = commands.add_parser(function.__name__, help=text, description=text)
        for name, settings in arguments:
            command.add_argument(name, **settings)
        command.set_defaults(function=function)

    seconds = lambda value: ("--seconds", {"type": float, "default": value, "help": f"default {value}"})
    rate = ("--rate", {"type": float, "default": 60, "help": "cameras per second at most; default 60"})
    clients = lambda value: ("--clients", {"type": int, "default": value, "help": f"default {value}"})
    status = ("--status", {"type": int, "default": 200, "help": "that is expected; default 200"})
    add(get, "prints or writes what GET PATH answers", ("path", {}), ("--output", {"metavar": "FILE"}), status)
    add(post, "prints what POST PATH answers", ("path", {}), ("body", {"metavar": "JSON"}), status)
    add(wait, "waits for so many samples per pixel at the full size", ("samples", {"type": int}), seconds(60))
    add(measure, "turns the camera; frames per second and latency, as JSON", seconds(10), rate,
        ("--degrees-per-second", {"type": float, "default": 45.0}),
        ("--moves", {"type": int, "default": 20, "help": "single moves from rest; default 20"}),
        ("--rest", {"type": float, "default": 0.5, "help": "seconds between them; default 0.5"}))
    add(load, "clients that read all frames while the camera turns; memory of the server, as JSON", clients(8), seconds(60), rate,
        ("--pid", {"type": int, "required": True}), ("--settle", {"type": float, "default": 2, "help": "seconds before the first reading; default 2"}),
        ("--grows-at-most-mb", {"type": float, "help": "from the third quarter of the time to the last; status 1 if more in all rounds"}),
        ("--rounds", {"type": int, "default": 1, "help": "until memory grows by no more than that; the first lasts --seconds, each other twice as long as that before"}))
    add(strangers, "checks that tokens, hosts and origins of others are refused")
    add(raw, "checks raw requests: ranges, forms, lengths, bodies of GET, each with the status and length of its answer")
    add(malformed, "checks that malformed requests are refused and change nothing")
    add(cut, "checks that the render survives broken requests and cut connections")
    add(stall, "checks that clients that do not read hold nobody up", clients(4), seconds(3))
    add(flood, "checks that the render survives many requests and silent connections", clients(16), seconds(3),
        ("--silent", {"type": int, "default": 100, "help": "connections; default 100"}))
    add(swell, "checks that heads of requests without end are cut off and take no memory", ("--pid", {"type": int, "required": True}))
    add(hoard, "checks that films are made and sent for a few clients at a time")
    add(drip, "sends requests without the token, byte by byte, and checks that the server ends all the same", clients(40), seconds(60))
    add(crowd, "checks that more connections without the token than the server has threads do not keep others from their answers",
        ("--silent", {"type": int, "default": 200, "help": "connections; default 200"}))
    add(many, "checks that as many clients as --clients of volview get frames, and one more is refused", clients(16))
    return parser


def main():
    options = make_parser().parse_args()
    try:
        return options.function(Server(options.server, options.token_file), options)
    except (OSError, ValueError, KeyError) as error:
        print(f"volview_client: {type(error).__name__}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
