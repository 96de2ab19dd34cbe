#!/usr/bin/env bash
# Sourced by the lines of volview.tests, not run: starts volview, ends it with the line. Needs volview on PATH.

# serve ARGUMENT..: volview with these, its answer in server.json, what it says in server.log; returns when it listens. `server` is its process.
serve() {
    volview "$@" --token-file token --json >server.json 2>server.log &
    server=$!
    trap 'end_server' EXIT
    for _ in {1..300}; do
        if [[ -s server.json ]]; then return 0; fi
        if ! kill -0 "$server" 2>/dev/null; then break; fi
        sleep 0.1
    done
    cat server.log >&2
    return 1
}

end_server() {
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}

# client COMMAND [option..]: of volview_client.py.
client() {
    python3 -B "$VOLPT_TESTS_DIR/tools/volview_client.py" server.json "$@"
}

# run_command FILM.vpf OUT.vpf: runs the volrender line that the server gives, with the samples of this film.
run_command() {
    local samples line
    samples=$(volinfo "$1" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["samples"])')
    line=$(client get /command.json | python3 -c 'import json, sys; (line,) = json.load(sys.stdin)["lines"]; print(line)')
    line=$(sed -E "s/--spp [0-9]+/--spp $samples/; s/-o ('[^']*'|[^ ]+)/-o $2/" <<<"$line")
    echo "$line"
    [[ $line == "volrender "* ]] && bash -euc "$line -q"
}

# check_film [NAME]: the film as the server gives it is that of volrender, bit for bit.
check_film() {
    client get /film.vpf --output "${1:-seen}.vpf"
    run_command "${1:-seen}.vpf" "${1:-seen}-rendered.vpf"
    volcompare "${1:-seen}.vpf" "${1:-seen}-rendered.vpf"
    test "$(volinfo "${1:-seen}.vpf" --json | grep film_hash)" = "$(volinfo "${1:-seen}-rendered.vpf" --json | grep film_hash)"
}
