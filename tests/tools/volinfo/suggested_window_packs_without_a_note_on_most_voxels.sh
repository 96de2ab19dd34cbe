# Suggested window packs without a note on most voxels.
volprep --make noise --dims 32,32,32 --size 1mm --encode f32 -o n.vpk -q
volprep n.vpk --export n.mha
volprep n.mha $(volinfo n.mha | sed -n 's/^suggested_option: //p') -o w.vpk --json | python3 -c '
import json, sys, re
n = [t for t in json.load(sys.stdin)["notices"] if "clamped" in t][0]
below, above = map(int, re.findall(r"\d+", n))
assert 0 < below < 400 and 0 < above < 400, n
'
