# On a terminal the answer is six lines; with --verbose, or in a pipe, it has every key.
volprep --make cube --dims 1,1,1 --size 1 --sigma-t 12 -o c.vpk -q
render="volrender c.vpk --device cpu --resolution 8x8 --spp 4 -o c.vpf -q"
script -qec "$render" /dev/null >seen
test "$(grep -c . seen)" = 6
grep -q '^files  c.vpf' seen
grep -q '^film   8 x 8 pixels, 1 band, 4 samples per pixel' seen
grep -q '^time   .* M paths per second on cpu' seen
script -qec "${render% -q} --verbose" /dev/null >seen
grep -q '^film_hash: ' seen
$render >seen
grep -q '^film_hash: ' seen
