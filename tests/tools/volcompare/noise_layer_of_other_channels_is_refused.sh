# Noise layer of other channels is refused.
# grep: 'standard_error' has no channel of those that are compared
volmerge $VOLPT_TESTS_DIR/frozen/tiny.vpf -o a.exr
python3 -c '
b = open("a.exr", "rb").read()
open("b.exr", "wb").write(
    b.replace(b"standard_error.B", b"standard_error.X")
    .replace(b"standard_error.G", b"standard_error.V")
    .replace(b"standard_error.R", b"standard_error.W")
)
'
expect_status 3 volcompare b.exr b.exr --noise-layer standard_error --channels R,G,B --statistical
