# Nothing is left in the folder for temporary files: after a render, an error, Ctrl-C while it renders, and while it is packed.
mkdir tmp
export TMPDIR=$PWD/tmp
volprep --make noise --dims 16,16,16 --size 4mm -o n.vpk -q
volprep export n.vpk n.mha -q
volrender n.mha -o a.png --resolution 16x16 --spp 1 -q
test -z "$(ls -A tmp)"
expect_status 2 volrender n.mha -o a.png --lens 1,0
test -z "$(ls -A tmp)"
head -c 2000 n.mha >cut.mha
expect_status 3 volrender cut.mha -o a.png
test -z "$(ls -A tmp)"

# wait_for COMMAND..: until it succeeds, a minute at most.
wait_for() {
    for _ in {1..600}; do
        if "$@"; then return; fi
        sleep 0.1
    done
    return 1
}
volrender n.mha -o b.vpf --resolution 64x64 --spp 4000000 >/dev/null 2>err &
wait_for grep -q 'volprep n.mha' err
test -z "$(ls -A tmp)"
kill -INT $!
status=0
wait $! || status=$?
test $status = 4
test -z "$(ls -A tmp)"

is_packing() { [[ -n $(ls -A tmp) ]]; }
python3 -c 'import struct
with open("big.mha", "wb") as f:
    f.write(b"ObjectType = Image\nNDims = 3\nDimSize = 400 400 400\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n")
    f.write(bytes(range(200)) * 320000)'
volrender big.mha -o c.vpf --resolution 16x16 --spp 1 2>err &
wait_for is_packing
kill -INT $!
status=0
wait $! || status=$?
test $status = 4
test -z "$(ls -A tmp)"
test ! -e c.vpf
cat err
# grep: interrupted while it was packed
