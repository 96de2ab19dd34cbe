# Path refuses what it cannot find.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
refuse() {
    s=0
    volrender c.vpk -o c.vpf --spp 1 --resolution 8x8 "$@" 2>err >/dev/null || s=$?
    test $s = 2
}
refuse --boundary smooth --light 'point origin=0,0,20 power=1'
grep -q refract err
refuse --light 'beam origin=0,0,20 direction=0,0,-1 power=1'
grep -q 'no radius' err
refuse --light 'beam origin=0,0,20 direction=0,0,1 radius=1mm power=1'
grep -q misses err
refuse --light 'sphere center=0,0,0 radius=0.1mm power=1'
grep -q 'into the volume' err
refuse --light 'point origin=0,0,20 power=1' --long-steps on
grep -q long_steps err
refuse --light 'point origin=0,0,20 power=1' --probe top --sides periodic
grep -q periodic err
refuse --light 'point origin=0,0,20 power=0'
grep -q power err
refuse --light 'disk of light'
refuse --integrator both
refuse --nee maybe
refuse --integrator light --nee on
grep -q -e --nee err
