# Mlt tells that no light was found.
S='<scene version="3.0.0"><shape type="cube"><bsdf type="null"/><medium type="homogeneous" name="interior"><float name="sigma_t" value="2"/></medium></shape> <shape type="cube"><transform name="to_world"><translate z="9"/></transform><bsdf type="diffuse"><rgb name="reflectance" value="0"/></bsdf></shape></scene>'
echo "$S" >m.xml
volprep m.xml -o m.vpk -q
r() {
    s=0
    volrender m.vpk --integrator mlt --bootstrap 50 --chains 4 --resolution 8x8 "$@" >out 2>err || s=$?
}
echo old | tee m.vpf >m.png
r --light 'point origin=0,0,9 power=1' -o m.vpf -o m.png -o new.vpf --spp 20000 --checkpoint 0.1
test $s = 1
grep -q 'no path between light and film in 4000000 candidates' err
grep -q -e --bootstrap err
test ! -s out
test ! -e new.vpf
test "$(cat m.vpf m.png)" = "$(printf 'old\nold')"
test $(ls | wc -l) = 6
r --light 'point origin=0,0,9 power=1' --trials 1 --spp 3
test $s = 1
r --light 'point origin=0,0,9 power=1' --light 'point origin=0,0,7 power=1' --spp 3 -o m.vpf
test $s = 0
volinfo m.vpf --verify full
