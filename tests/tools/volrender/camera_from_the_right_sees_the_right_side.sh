# Camera from the right sees the right side.
# grep: camera.ortho_width_mm: 1
mkdir s
python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); from png import write_png; [write_png(f"s/{i}.png", 6, 6, [b"\0\0\0" * 3 + b"\xff\xff\xff" * 3] * 6) for i in range(6)]' $VOLPT_TESTS_DIR/../pipelines
volprep s --materials elek2017 --pitch 0.5mm -o s.vpk -q
for view in 'right --from +x' 'left --from -x' 'placed --origin 9,0,0 --target 0,0,0 --up 0,0,1'; do
    set -- $view
    name=$1
    shift
    volrender s.vpk "$@" --ortho 1mm --resolution 16x16 --spp 64 --device cpu -o $name.vpf -q --json >$name.json
done
python3 -c '
import json
right, left, placed = [sum(json.load(open(f + ".json"))["mean"]) for f in ("right", "left", "placed")]
print(right, left, placed)
assert right > 3 * left and abs(right - placed) < 0.1 * right
'
volinfo right.vpf | grep camera
