# One colour.
# grep: the print is 3 x 3 x 3 mm large
# grep: core.material
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
volprep t.ply --print-mesh --size ,,3mm --ink-depth 0.2mm --colour '#c08040' --materials elek2017 --reproducible -j 1 -o v.vpk
volprep t.ply --print-mesh --size ,,3mm --ink-depth 0.2mm --colour '#c08040' --materials elek2017 --reproducible -j 4 -o w.vpk \
    --json >j.txt
cmp v.vpk w.vpk
python3 -c '
import json
j = json.load(open("j.txt"))
s, m = j["separated_shares"], j["material_shares"]
assert j["dims"] == [73, 38, 114], j["dims"]
assert abs(j["surface"]["volume_mm3"] - 4.5) < 1e-4
assert all(abs(s[k] - m[k]) < 1e-3 for k in s), (s, m)
assert abs((j["ink_voxels"] + j["core_voxels"]) * 0.0423 * 0.0847 * 0.027 - 4.5) < 0.2, j
'
volinfo v.vpk --verify full
