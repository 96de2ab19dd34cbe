# Particles cannot show a mirror.
S='<scene version="3.0.0"><shape type="cube"><bsdf type="null"/><medium type="homogeneous" name="interior"><float name="sigma_t" value="2"/></medium></shape> <shape type="sphere"><float name="radius" value="1"/><point name="center" x="3" y="0" z="0"/><bsdf type="conductor"/></shape></scene>'
echo "$S" >m.xml
volprep m.xml -o m.vpk -q
look() {
    s=0
    volrender m.vpk --integrator light --light 'point origin=0,0,9 power=1' --spp 1 --resolution 8x8 -o m.vpf --origin "$1" \
        --target "$2" "$3" "$4" 2>err >/dev/null || s=$?
}
look 0,-20,0 0,0,0 --fov 40
test $s = 2
grep -q mirror err
look 0,-20,0 0,0,0 --ortho 8
test $s = 2
look 0,-20,0 -2,0,0 --fov 10
test $s = 0
look 0,-20,0 0,0,0 --ortho 3.9
test $s = 0
look 20,0,0 30,0,0 --fov 40
test $s = 0
volrender m.vpk --light 'point origin=0,0,9 power=1' --spp 1 --resolution 8x8 -o p.vpf 2>err
grep -q caustics err
volrender m.vpk --light 'sphere center=0,0,9 radius=1mm power=1' --spp 1 --resolution 8x8 -o p.vpf 2>err
expect_status 1 grep -q caustics err
