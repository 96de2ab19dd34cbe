# Saved pictures are denoised as the copied command says; the film never is.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 8,8,8 --size 2mm --sigma-t 10 --albedo 0.9,0.8,0.6 -o c.vpk -q
mkdir out
serve c.vpk --resolution 80x60 --transparent --out out -j 2
client post /display '{"exposure":-0.7}'
client wait 2
# All are saved before any is made again: the render goes on meanwhile.
for kind in vpf exr png; do client post /save "{\"kind\":\"$kind\"}" >saved.$kind; done
client post /display '{"denoise":"off"}'
client post /save '{"kind":"png"}' >saved.plain
cat saved.*
name() { python3 -c 'import json, sys; print("out/" + json.load(open(sys.argv[1]))["file"])' saved.$1; }
again() { run_samples $(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["samples"])' saved.$1) $2; }
test -z "$(read_text $(name plain) denoised)"
again plain plain.png
volcompare $(name plain) plain.png
client post /display '{"denoise":"on"}'
again vpf same.vpf
volcompare $(name vpf) same.vpf
test "$(read_text $(name png) denoised)" = regression
for kind in exr png; do
    again $kind same.$kind
    volcompare $(name $kind) same.$kind --metric max --threshold 'max<1e-9'
done
# So is the tone of the display.
client post /display '{"tone":"filmic"}'
client post /save '{"kind":"png"}' >saved.filmic
client get /command.json | grep -e '--tone filmic'
test "$(read_text $(name filmic) tone)" = filmic
again filmic filmic.png
volcompare $(name filmic) filmic.png --metric max --threshold 'max<1e-9'
