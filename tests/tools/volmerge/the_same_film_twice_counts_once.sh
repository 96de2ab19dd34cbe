# The same film twice counts once.
# grep: copy.vpf is the same film as
# grep: "inputs": 4,
# grep: "inputs_counted_once": 2,
cp $VOLPT_TESTS_DIR/frozen/tiny.vpf copy.vpf
f=$VOLPT_TESTS_DIR/frozen
volmerge $f/tiny.vpf $f/tiny_rest.vpf -o once.vpf --reproducible -q >/dev/null
volmerge $f/tiny.vpf copy.vpf $f/tiny_newer_minor.vpf $f/tiny_rest.vpf -o twice.vpf --reproducible --json
cmp once.vpf twice.vpf
