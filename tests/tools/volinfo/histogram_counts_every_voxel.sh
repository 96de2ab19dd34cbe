# Histogram counts every voxel.
printf '\001\002\002\004' >in.raw
volprep in.raw --dims 2,2,1 --type u8 -o v.vpk
volinfo v.vpk --histogram --json | python3 -c '
import json, sys
h = json.load(sys.stdin)["histogram"]
assert (
    h["min"] == 1
    and h["max"] == 4
    and h["mean"] == 2.25
    and sum(h["counts"]) == 4
    and h["counts"][31] == 1
    and max(h["counts"]) == 2
), h
'
