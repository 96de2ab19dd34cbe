# Boxes that overlap are their union, 2 - 0.06 mm3, within the rounding of edges by half a voxel; a box in a box goes, exactly. Not with --medium.
# grep: pairs of triangles that intersect: 12
# grep: none is doubtful
# grep: --repair: 1 shells inside the solid of others removed
# grep: try --repair
python3 - <<'PYTHON'
import itertools
faces = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
def write(name, *boxes):
    with open(name, "w") as f:
        for lower, upper in boxes:
            f.writelines("v %g %g %g\n" % (bits[2] and upper[0] or lower[0], bits[1] and upper[1] or lower[1], bits[0] and upper[2] or lower[2])
                         for bits in itertools.product((0, 1), repeat=3))
        f.writelines("f %d %d %d\n" % tuple(8 * n + corner + 1 for corner in face) for n in range(len(boxes)) for face in faces)
write("overlap.obj", ((1, 1, 1), (2, 2, 2)), ((1.5, 1.6, 1.7), (2.5, 2.6, 2.7)))
write("nested.obj", ((1, 1, 1), (2, 2, 2)), ((1.2, 1.2, 1.2), (1.7, 1.7, 1.7)))
PYTHON
medium='--sigma-t 5 --albedo .9'
s=0
volprep overlap.obj $medium -o o.vpk || s=$?
test $s = 3
volprep overlap.obj --repair $medium --mesh-bricks 16 -j 1 -o o.vpk
volprep overlap.obj --repair $medium --mesh-bricks 6 -j 3 -q -o t.vpk --reproducible
volprep overlap.obj --repair $medium --mesh-bricks 6 -j 1 -q -o u.vpk --reproducible
cmp t.vpk u.vpk
volprep nested.obj --repair $medium -o n.vpk
python3 - <<'PYTHON'
import json, subprocess
surface = lambda name: json.loads(subprocess.check_output(["volinfo", name, "--json", "--verify", "full"]))["surface"]
assert abs(surface("o.vpk")["volume_mm3"] / 1.94 - 1) < 1e-3, surface("o.vpk")
assert surface("n.vpk")["triangles"] == 12 and abs(surface("n.vpk")["volume_mm3"] - 1) < 1e-4, surface("n.vpk")
PYTHON
volprep make cube --size 4mm --sigma-t 5 -q -o cube.vpk
expect_status 3 volprep overlap.obj --repair --medium cube.vpk -o m.vpk
