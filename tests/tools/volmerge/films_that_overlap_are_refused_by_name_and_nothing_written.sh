# Films that overlap are refused by name and nothing written.
# grep: while adding all.vpf
# grep: tile 0,0
# grep: samples 2:3 are there already, in
# grep: tiny_rest.vpf, which is another film
f=$VOLPT_TESTS_DIR/frozen
volmerge $f/tiny.vpf $f/tiny_rest.vpf -o all.vpf >/dev/null
status=0
volmerge $f/tiny_rest.vpf all.vpf -o x.vpf || status=$?
test "$(ls)" = all.vpf
test $status = 3
