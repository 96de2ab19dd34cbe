#!/usr/bin/env bash
# Frames per second and latency of volview while its camera turns, as a table: volview_rates.sh BUILD/bin [--data FOLDER] [--seconds 10]
#   [--scenes chart,noise,ct-lung] [--resolution 1280x720] [--keep FOLDER] [--load] [-- OPTION of volview ..]
#
# Scenes: chart, the test chart printed into a white slab, behind a smooth boundary; noise, 512^3 voxels in three bands; ct-lung, a chest CT,
# where --data names the folder of the public datasets.
# A client on the same machine (tests/tools/volview_client.py measure) turns the camera by 45 degrees per second, in at most 60 steps per
# second, then 20 times by a step after the picture has come to rest; it reads pictures and does not decode them. Latency lasts from POST
# /camera to the last byte of the first picture of that camera, or of a newer one. --keep leaves the client's JSON there.
# --load: instead, eight such clients read all pictures for a minute (--seconds) while the camera turns; the table has the server's anonymous
# memory at the beginning, at most and at the end, and by how much its least reading grew from the third quarter of the time to the last.
# On two cores: volview_rates.sh BUILD/bin -- --device cpu -j 2. On a GPU: volview_rates.sh BUILD/bin -- --device cuda.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h || $# -eq 0 ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    if [[ $# -eq 0 ]]; then exit 2; fi
    exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PATH=$(cd "$1" && pwd):$PATH
shift
data='' seconds='' load=no resolution=1280x720 keep='' scenes=chart,noise,ct-lung
while [[ $# -gt 0 && $1 != -- ]]; do
    case $1 in
        --load)
            load=yes
            shift
            continue
            ;;
        --data) data=$2 ;;
        --seconds) seconds=$2 ;;
        --resolution) resolution=$2 ;;
        --keep) mkdir -p "$2" && keep=$(cd "$2" && pwd) ;;
        --scenes) scenes=$2 ;;
        *) echo "volview_rates: unknown option $1; --help lists them" >&2 && exit 2 ;;
    esac
    shift 2
done
options=("${@:2}")
if [[ -n $data ]]; then data=$(cd "$data" && pwd); fi

folder=$(mktemp -d)
server=
finish() {
    if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
    rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

# pack SCENE: the volume, and what is seen of it in `view`; status 1 if its dataset is not there.
pack() {
    case $1 in
        chart)
            volprep --slab "$root/pipelines/data/chart.png" --dims 600,400,30 --size 30mm,20mm,3mm --ink-share 0.1 --side +z --sigma-t 10 \
                --base-albedo 0.9997 -o chart.vpk -q >/dev/null
            view=(--origin "0,-25,40" --target "0,0,0" --up "0,0,1" --fov 40 --boundary smooth --int-ior 1.5)
            ;;
        noise)
            volprep --make noise --dims 512,512,512 --size 10mm --sigma-t 4 --albedo 0.99,0.95,0.9 -o noise.vpk -q >/dev/null
            view=(--env 1.4 --env-below 0.12 --env-up +z)
            ;;
        ct-lung)
            if [[ ! -r $data/elastix/3DCT_lung.mha ]]; then
                echo "volview_rates: ct-lung is left out; --data FOLDER/elastix/3DCT_lung.mha is not there" >&2
                return 1
            fi
            volprep "$data/elastix/3DCT_lung.mha" --window 110,810 --transfer "$root/pipelines/data/ct_lung.json" --scale 1.5 -o ct-lung.vpk -q >/dev/null
            view=(--env "1.9,1.85,1.75" --env-below "0.02,0.025,0.035" --env-up +z --origin "330,-950,-1000" --target "-78,-44,-1275" --up "0,0,1" --fov 20.5)
            ;;
        *) echo "volview_rates: no scene $1" >&2 && exit 2 ;;
    esac
}

if [[ $load == yes ]]; then
    echo "| scene | clients, seconds | frames/s per client | anonymous memory in MB: beginning, max, end | growth from the third quarter of the time to the last |"
    echo "|---|---|---|---|---|"
else
    echo "| scene | device, kernel | frames/s | cameras shown/s | size while moving | latency in ms while turning: median, 95 %, max | from rest |"
    echo "|---|---|---|---|---|---|---|"
fi
for scene in ${scenes//,/ }; do
    pack "$scene" || continue
    rm -f server.json
    volview "$scene.vpk" --resolution "$resolution" "${view[@]}" "${options[@]}" --token-file token --json >server.json 2>server.log &
    server=$!
    for _ in {1..600}; do
        if [[ -s server.json ]] || ! kill -0 "$server" 2>/dev/null; then break; fi
        sleep 0.1
    done
    if [[ $load == yes ]]; then
        command=(load --pid "$server" --clients 8 --settle 5 --seconds "${seconds:-60}")
    else
        command=(measure --seconds "${seconds:-10}")
    fi
    python3 -B "$root/tests/tools/volview_client.py" server.json "${command[@]}" >"$scene.json" || { cat server.log >&2 && exit 4; }
    kill "$server"
    wait "$server"
    server=
    if [[ -n $keep ]]; then cp "$scene.json" "$keep/"; fi
    python3 -c 'import json, sys
a = json.load(open(sys.argv[1] + ".json"))
if "clients" in a:
    megabytes = [format(a[key + "_kilobytes"] / 1000, ".1f") for key in ("anonymous_begin", "anonymous_max", "anonymous_end", "late_growth")]
    print("|", " | ".join([sys.argv[1], "{clients}, {seconds:.0f}".format(**a), str(a["frames_per_second_per_client"]),
          ", ".join(megabytes[:3]), megabytes[3]]), "|")
    sys.exit()
times = lambda t: ", ".join(str(t[k]) for k in ("median", "p95", "max"))
sizes = "x".join(map(str, (a["width_min"], a["height_min"]))), "x".join(map(str, (a["width_max"], a["height_max"])))
print("|", " | ".join([sys.argv[1], a["device"] + ", " + a["kernel"], str(a["frames_per_second"]), str(a["views_per_second"]),
      sizes[0] if sizes[0] == sizes[1] else " to ".join(sizes), times(a["latency_orbiting_ms"]), times(a["latency_from_rest_ms"])]), "|")' "$scene"
done
