# Bdpt refuses what both would miss.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
L='point origin=0,0,20 power=1'
refuse() {
    s=0
    volrender c.vpk -o c.vpf --spp 1 --resolution 8x8 --integrator bdpt "$@" 2>err >/dev/null || s=$?
    test $s = 2
}
refuse --env 0
grep -q 'nothing emits' err
refuse --boundary smooth --light "$L"
grep -q 'scattered once' err
refuse --light "$L" --nee on
grep -q -e --nee err
refuse --light "$L" --long-steps on
refuse --light "$L" --origin 0.1,0.1,0.1 --target 1,1,1
grep -q inside err
