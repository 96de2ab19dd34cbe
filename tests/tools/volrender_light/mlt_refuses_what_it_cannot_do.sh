# Mlt refuses what it cannot do.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o c.vpk -q
L='point origin=0,0,20 power=1'
refuse() {
    s=0
    volrender c.vpk -o c.vpf --resolution 8x8 "$@" 2>err >/dev/null || s=$?
    test $s = 2
}
m="--integrator mlt"
refuse $m --light "$L" --tiles 2x1
grep -q 'whole film' err
refuse $m --light "$L" --tile-size 64
grep -q 'whole film' err
for option in mutations bootstrap chains longest; do
    refuse --light "$L" --integrator bdpt --$option 4
    grep -q -e "--$option.*Metropolis" err
done
refuse $m --light "$L" --nee on
grep -q -e --nee err
refuse $m --light "$L" --longest 13
grep -q -e --longest err
refuse $m --light "$L" --longest 0
refuse $m --light "$L" --mutations 0
refuse $m --light "$L" --bootstrap 1000001
refuse $m --light "$L" --chains 0
refuse $m --light "$L" --samples 16777215:2
grep -q 'could overflow' err
refuse $m --env 0
grep -q 'nothing emits' err
refuse $m --boundary smooth --light "$L"
grep -q 'scattered once' err
refuse $m --light "$L" --long-steps on
refuse $m --light "$L" --transparent
grep -q -e --coverage err
refuse $m --light "$L" --origin 0.1,0.1,0.1 --target 1,1,1
grep -q inside err
refuse $m --light "$L" --tally absorbed -o t.nii
grep -q -e --tally err
test ! -e c.vpf
volrender c.vpk $m --light "$L" --samples 16777215:1 --resolution 8x8 -o c.vpf
volinfo c.vpf --verify full
