#!/usr/bin/env bash
# Sourced by the lines of volview.tests, not run: starts volview, ends it with the line. Needs volview on PATH.

# serve ARGUMENT..: volview with these, its answer in server.json, what it says in server.log; returns when it listens. `server` is its process.
serve() {
    volview "$@" --token-file token --json >server.json 2>server.log &
    server=$!
    trap 'kill "$server" 2>/dev/null || true' EXIT
    for _ in {1..300}; do
        if [[ -s server.json ]]; then
            trap 'end_server' EXIT
            return 0
        fi
        if ! kill -0 "$server" 2>/dev/null; then break; fi
        sleep 0.1
    done
    cat server.log >&2
    return 1
}

# Asked to end, volview ends with 0; a sanitizer that finds something says so by another status.
end_server() {
    local status=$? end=0
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || end=$?
    if [[ $status -ne 0 || $end -eq 0 ]]; then exit "$status"; fi
    cat server.log
    echo "volview ended with $end"
    exit 1
}

# client COMMAND [option..]: of volview_client.py.
client() {
    python3 -B "$VOLPT_TESTS_DIR/tools/volview_client.py" server.json "$@"
}

# run_command FILM.vpf OUT.vpf: runs the volrender line that the server gives, with the samples of this film.
run_command() {
    run_samples "$(volinfo "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["samples"])')" "$2"
}

# run_samples N OUT [on|off]: the same with N samples; of pictures, denoised or not in place of as the line says.
run_samples() {
    local line
    line=$(client get /command.json | python3 -c 'import json, sys; (line,) = json.load(sys.stdin)["lines"]; print(line)')
    if [[ -n ${3-} ]]; then line=$(sed -E "s/ --denoise on//; s/ -o / --denoise $3 -o /" <<<"$line"); fi
    line=$(sed -E "s/--spp [0-9]+/--spp $1/; s/-o ('[^']*'|[^ ]+)/-o $2/" <<<"$line")
    echo "$line"
    [[ $line == "volrender "* ]]
    bash -euc "$line -q"
}

# check_film [NAME]: the film as the server gives it is that of volrender, bit for bit.
check_film() {
    client get /film.vpf --output "${1:-seen}.vpf"
    run_command "${1:-seen}.vpf" "${1:-seen}-rendered.vpf"
    volcompare "${1:-seen}.vpf" "${1:-seen}-rendered.vpf"
    test "$(volinfo "${1:-seen}.vpf" --json | grep film_hash)" = "$(volinfo "${1:-seen}-rendered.vpf" --json | grep film_hash)"
}

# hear NAME PORT [option..]: tev_listener.py on this port, its files NAME.*; returns when it listens. `listener` is its process, `tev_port` its port.
hear() {
    python3 -B "$VOLPT_TESTS_DIR/tools/tev_listener.py" "$2" "$1" "${@:3}" &
    listener=$!
    for _ in {1..300}; do
        if [[ -s $1.port ]]; then
            tev_port=$(<"$1.port")
            export tev_port
            return 0
        fi
        sleep 0.1
    done
    return 1
}

# wait_for_denoised: until the picture at its full size is shown denoised.
wait_for_denoised() {
    for _ in {1..600}; do
        if client get /stats.json | python3 -c 'import json, sys; now = json.load(sys.stdin); sys.exit(now["denoised_samples"] is None or now["reduced"])'; then
            return 0
        fi
        sleep 0.1
    done
    return 1
}

# read_text FILE.png NAME: a text attribute of a PNG; empty if it has none.
read_text() {
    python3 - "$1" "$2" <<'END'
import struct, sys
data, place = open(sys.argv[1], "rb").read(), 8
while place < len(data):
    size, = struct.unpack_from(">I", data, place)
    key = sys.argv[2].encode() + bytes(5)
    if data[place + 4:place + 8] == b"iTXt" and data[place + 8:].startswith(key):
        print(data[place + 8 + len(key):place + 8 + size].decode())
    place += size + 12
END
}

# check_heard NAME: the picture that came there is that of volrender, to the same bits.
check_heard() {
    wait "$listener"
    run_samples "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["samples"])' "$1.json")" "$1.exr" off
    python3 -B "$VOLPT_TESTS_DIR/tools/compare_exr.py" "$1" "$1.exr"
}
