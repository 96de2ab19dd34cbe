# Share of clearance.
# grep: clearance  50.0/50.0/25.0/0.0/0.0 % of the voxels are at least 0.1/0.3/1/3/10 mm
(
    printf '\2'
    head -c 2047 /dev/zero | tr '\0' '\1'
) >in.raw
volprep in.raw --dims 32,8,8 --type u8 --pitch 0.1mm -o v.vpk --json >v.json
volinfo v.vpk --verify full --json >i.json
python3 -c '
import json
v, i = (json.load(open(f))["clearance_share"] for f in ("v.json", "i.json"))
assert v == i and [(s["clearance_mm"], s["share"]) for s in v] == [(0.1, 0.5), (0.3, 0.5), (1, 0.25), (3, 0), (10, 0)], v
'
volprep v.vpk -o w.vpk
