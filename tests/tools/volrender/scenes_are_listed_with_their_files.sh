# What --list-scenes --json prints of a scene is a file that is the same scene.
volrender --list-scenes | grep '^studio  *three soft boxes'
volview --list-scenes | grep '^studio  *three soft boxes'
volrender --list-scenes --json >all.json
python3 - <<'PYTHON'
import json
for scene in json.load(open("all.json")):
    json.dump(scene["contents"], open(scene["scene"] + ".json", "w"))
PYTHON
volprep --make cube --dims 1,1,1 --size 1mm,2mm,3mm --sigma-t 2 --albedo .9 -o c.vpk -q
for scene in studio window table lightbox backlit lamp; do
    for name in "$scene" "$scene.json"; do
        volrender c.vpk --scene "$name" --spp 1 --resolution 9x9 -o "of_$name.vpf" --reproducible -q
    done
    cmp "of_$scene.vpf" "of_$scene.json.vpf"
done
