# Sections name what is there.
# grep: "material":"W"
# grep: "material":"K"
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
mkdir s
python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); from png import write_png; [write_png(f"s/{i}.png", 6, 6, [b"\0\0\0" * 3 + b"\xff\xff\xff" * 3] * 6) for i in range(6)]' $VOLPT_TESTS_DIR/../pipelines
volprep s --materials elek2017 --pitch 0.5mm -o s.vpk -q
serve s.vpk --resolution 20x20
client get /volume.json
for axis in x y z; do
    client get "/slice.png?axis=$axis&index=5" --output $axis.png
    test "$(head -c 4 $axis.png | tail -c 3)" = PNG
done
client get '/slice.png?axis=z&index=6' --status 400
client get '/slice.json?axis=z&index=3&x=0.1&y=0.5'
client get '/slice.json?axis=z&index=3&x=0.9&y=0.5'
