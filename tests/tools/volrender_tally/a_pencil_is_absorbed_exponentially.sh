# A pencil is absorbed exponentially.
volprep --make cube --dims 4,4,8 --size 1mm --sigma-t 3 --albedo 0 -o c.vpk -q
volrender c.vpk --integrator light --light 'beam origin=0.1,0.1,5 direction=0,0,-1 power=2' --resolution 1x1 --spp 100000 \
    --tally absorbed:grid=1x1x4 -o d.nii -o d.nii.gz -o d.mha -o d.nrrd -o d.vpk --json >a.json
gzip -dc d.nii.gz | cmp - d.nii
volinfo d.vpk --verify full
python3 -c '
import json, math, struct
d = open("d.nii", "rb").read()
v = struct.unpack("<8f", d[352:])
n = [4 * (math.exp(-0.75 * (3 - i)) - math.exp(-0.75 * (4 - i))) for i in range(4)]
assert all(abs(a - b) < 5 * e for a, b, e in zip(v, n, v[4:])), (v, n)
e = json.load(open("a.json"))["energy"]
assert abs(e["transmitted"] - math.exp(-3)) < 0.005 and abs(sum(e.values()) - 1) < 1e-6, e
'
