# What --list-scenes --json prints of a scene is a file that is the same scene.
volrender --list-scenes | grep '^studio  *three soft boxes'
volview --list-scenes | grep '^studio  *three soft boxes'
volrender --list-scenes --json >all.json
python3 - <<'PYTHON'
import json
for scene in json.load(open("all.json")):
    json.dump(scene["contents"], open(scene["scene"] + ".json", "w"))
PYTHON
python3 - <<'PYTHON'
faces = [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)]
with open("c.obj", "w") as f:
    f.writelines("v %g %g %g\n" % (n % 2, n // 2 % 2 * 2, n // 4 * 3) for n in range(8))
    f.writelines("f %d %d %d\n" % tuple(corner + 1 for corner in face) for face in faces)
PYTHON
volprep c.obj --sigma-t 2 --albedo .9 --mesh-bricks 4 -o c.vpk -q
for scene in studio window table lightbox backlit lamp lithophane; do
    for name in "$scene" "$scene.json"; do
        volrender c.vpk --scene "$name" --spp 1 --resolution 9x9 -o "of_$name.vpf" --reproducible -q
    done
    cmp "of_$scene.vpf" "of_$scene.json.vpf"
done
