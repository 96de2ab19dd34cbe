# Denoise is switched off and on.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make checker --dims 8,8,8 --size 2mm --sigma-t 10 --albedo 0.9,0.8,0.6 -o c.vpk -q
serve c.vpk --resolution 120x90 --denoise off
client wait 2
client get /stats.json | grep '"denoised_samples": *null'
client get /scene.json | grep '"denoise": *"off"'
client get /command.json >command.json
expect_status 1 grep denoise command.json
client get /frame.png --output plain.png
test -z "$(read_text plain.png denoised)"
run_samples $(read_text plain.png samples) same.png
volcompare plain.png same.png --metric max --threshold 'max<1e-6'
client post /display '{"denoise":"on"}'
wait_for_denoised
client get /command.json | grep -e '--denoise on'
client get /frame.png --output denoised.png
test "$(read_text denoised.png denoised)" = regression
client post /display '{"denoise":"off"}'
client get /frame.png --output again.png
test -z "$(read_text again.png denoised)"
