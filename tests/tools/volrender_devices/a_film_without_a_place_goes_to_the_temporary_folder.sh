# A film without a place goes to the temporary folder.
# grep: was written to
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 -o c.vpk -q
mkdir out tmp
(
    sleep 1
    rm -r out
) &
status=0
TMPDIR=$PWD/tmp volrender c.vpk -o out/c.vpf --spp 100000000 --time-limit 2 --resolution 64x64 --device cpu || status=$?
volinfo --verify full tmp/*.vpf
test $status = 4
