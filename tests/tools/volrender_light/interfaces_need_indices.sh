# Interfaces need indices.
refuse() {
    want=$1
    shift
    s=0
    "$@" 2>err >/dev/null || s=$?
    test $s = $want
}
head -c 64 /dev/zero >in.raw
pack='volprep in.raw --dims 4,4,4 --type u8 -o l.vpk -q'
echo '{"materials": [{"name": "A", "sigma_t": [1], "albedo": [0.9], "ior": 1.3}, {"name": "B", "sigma_t": [2], "albedo": [0.9]}, {"name": "C", "sigma_t": [2], "albedo": [0.9], "ior": 1.4}]}' >t.json
refuse 3 $pack --materials t.json --interfaces voxels
grep -q "'B' has no ior" err
refuse 2 $pack --materials elek2017 --interfaces voxels --filter trilinear
grep -q trilinear err
refuse 2 $pack --materials elek2017 --interfaces voxels --surface smooth
grep -q mesh err
refuse 2 $pack --interfaces voxels
grep -q materials err
$pack --materials elek2017
refuse 2 volrender l.vpk --interfaces voxels --spp 1 -o c.vpf
grep -q 'no indices' err
