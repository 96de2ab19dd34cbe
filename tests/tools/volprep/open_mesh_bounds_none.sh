# Open mesh bounds none.
# grep: bounds no solid
# grep: wrong
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 3\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n' >o.ply
volprep o.ply --check-mesh --json >o.json || test $? = 1
python3 -c '
import json
a = json.load(open("o.json"))
assert a["volume_mm3"] is None and a["findings"][0]["count"] == 3, a
'
expect_status 1 volprep o.ply --check-mesh
