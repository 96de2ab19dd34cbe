# Light refuses what it cannot reach.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
refuse() {
    s=0
    volrender c.vpk -o c.vpf --spp 1 --resolution 8x8 --integrator light "$@" 2>err >/dev/null || s=$?
    test $s = 2
}
refuse --env 0
grep -q 'nothing emits' err
refuse --boundary smooth
grep -q 1x1 err
refuse --lens 1mm
grep -q lens err
refuse --ground diffuse:.5
grep -q ground err
