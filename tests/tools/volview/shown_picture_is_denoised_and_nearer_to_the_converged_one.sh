# Shown picture is denoised, and nearer to the converged one than that of its samples; it is what the copied command makes.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 8,8,8 --size 2mm --sigma-t 10 --albedo 0.9,0.8,0.6 -o c.vpk -q
serve c.vpk --resolution 240x180 --boundary smooth --int-ior 1.5 --env 1.2 --env-below .1 --env-up +z --seed 3 -j 2
wait_for_denoised
client get /frame.png --output shown.png
test "$(read_text shown.png denoised)" = regression
samples=$(read_text shown.png samples)
run_samples $samples same.png
test "$(read_text same.png denoised)" = regression
volcompare shown.png same.png --metric max --threshold 'max<1e-6'
run_samples $samples noisy.png off
run_samples $((64 * samples)) converged.png off
measure() { volcompare $1 converged.png --metric de2000 --threshold 'de2000.mean<100' --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["metrics"]["de2000.mean"])'; }
python3 -c 'import sys; shown, noisy = map(float, sys.argv[1:]); print(shown, noisy); assert shown < 0.7 * noisy' $(measure shown.png) $(measure noisy.png)
