# Job in the same command.
# grep: b.gcvf: 73x38x114 voxels, printed and written
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
print="volprep t.ply --print-mesh --size ,,3mm --ink-depth 0.2mm --colour #804020 --materials elek2017 --printer j750"
$print -o v.vpk --export a.gcvf --json >j.txt
$print --export b.gcvf
$print --surface voxels -o s.vpk --export c.gcvf -q
cmp a.gcvf b.gcvf
cmp a.gcvf c.gcvf
volprep a.gcvf --materials elek2017 -o w.vpk -q
volprep w.vpk --export d.gcvf -q
cmp a.gcvf d.gcvf
mkdir l
$print --export 'l/s%03d.png'
test $(ls l | wc -l) = 114
test "$(echo volpt-scratch-*)" = 'volpt-scratch-*'
python3 -c '
import json, re, zipfile
j = json.load(open("j.txt"))
m = zipfile.ZipFile("a.gcvf").read("ConfigFile.xml").decode()
n = sum(map(int, re.findall("<VoxelCount>(\d+)", m)))
assert n == j["ink_voxels"] + j["core_voxels"] and j["job"] == "a.gcvf", n
assert "<BackGroundMaterialRGBA>0 0 0 0<" in m and "<Name>VeroBlack</Name>" in m, m
'
