# Materials differ in index.
refuse() {
    s=0
    volrender l.vpk -o c.vpf --spp 1 --resolution 8x8 "$@" 2>err >/dev/null || s=$?
    test $s = 2
}
head -c 64 /dev/zero >in.raw
for i in $(seq 64); do printf '\001' >>in.raw; done
echo '{"materials": [{"name": "A", "sigma_t": [1], "albedo": [0.9], "ior": 1.25}, {"name": "B", "sigma_t": [2], "albedo": [0.9], "ior": 1.5}]}' >t.json
volprep in.raw --dims 4,4,8 --type u8 --pitch 1mm,1mm,1mm --materials t.json --interfaces voxels -o l.vpk -q
volinfo l.vpk --verify full >v.txt
grep -q material_ior v.txt
volrender l.vpk --spp 1 --resolution 8x8 -o a.vpf
volinfo a.vpf >a.txt
grep -q 'material_ior.*1.25, 1.5' a.txt
volrender l.vpk --resume a.vpf --spp 2
volrender l.vpk --spp 1 --resolution 8x8 --probe top --sides periodic -o b.vpf
refuse --int-ior 1.4
grep -q interfaces err
refuse --ground diffuse:.5
grep -q 'box alone' err
refuse --long-steps on
grep -q 'long steps' err
refuse --light 'point origin=0,0,20 power=1'
grep -q 'interfaces between' err
volrender l.vpk --interfaces none --int-ior 1.4 --long-steps on --spp 1 --resolution 8x8 -o d.vpf
volprep l.vpk --filter trilinear -o s.vpk -q
mv s.vpk l.vpk
refuse
grep -q trilinear err
