# Boxes that overlap, a box in a box, a box without its floor, a box with a face twice, one inside out: printed, and told. --check-mesh stays strict.
python3 - <<'PYTHON'
import itertools
faces = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
def write(name, boxes, faces=faces):
    with open(name, "w") as f:
        for lower, upper in boxes:
            f.writelines("v %g %g %g\n" % tuple((lower, upper)[b][2 - i] for i, b in enumerate(reversed(bits))) for bits in itertools.product((0, 1), repeat=3))
        f.writelines("f %d %d %d\n" % tuple(8 * n + corner + 1 for corner in face) for n in range(len(boxes)) for face in faces)
def corner(x, y, z): return (z, y, x)
write("overlap.obj", [(corner(0, 0, 0), corner(1, 1, 1)), (corner(.5, .6, .7), corner(1.5, 1.6, 1.7))])
write("nested.obj", [(corner(0, 0, 0), corner(1, 1, 1)), (corner(.2, .2, .2), corner(.7, .7, .7))])
write("open.obj", [(corner(0, 0, 0), corner(1, 1, 1))], faces[2:])
write("twice.obj", [(corner(0, 0, 0), corner(1, 1, 1))], faces + faces[:1])
write("inverted.obj", [(corner(0, 0, 0), corner(1, 1, 1))], [face[::-1] for face in faces])
PYTHON
for mesh in overlap nested open twice inverted; do
    expect_status 1 volprep --check-mesh $mesh.obj
    volprep $mesh.obj --print-mesh --pitch .1mm --ink-depth .2mm --colour '#208040' --materials elek2017 --json -o $mesh.vpk >$mesh.json 2>$mesh.err
    volinfo $mesh.vpk --verify full >/dev/null
    expect_status 3 volprep $mesh.obj --print-mesh --strict --pitch .1mm --colour '#208040' --materials elek2017 -o strict.vpk
done
grep -q 'pairs of triangles that intersect.* of 1940 voxels none is doubtful' overlap.err
grep -q 'is repaired: 1 shells inside the solid of others removed' nested.err
grep -q 'open edges: 4.* of 1000 voxels .* are doubtful' open.err
grep -q 'is repaired: 1 duplicate triangles removed' twice.err
grep -q 'is repaired: 1 components turned inside out' inverted.err
for mesh in overlap open; do
    grep -q 'the surface of its voxels, drawn to the mesh, bounds the print' $mesh.err
    grep -q '"inside_by": "winding number"' $mesh.json
done
# The same solid box, with its core under ink on all sides; where the floor is missing, there is no colour for ink.
for mesh in nested twice inverted; do grep -q '"core_voxels": 216' $mesh.json; done
grep -q '"core_voxels": 288' open.json
