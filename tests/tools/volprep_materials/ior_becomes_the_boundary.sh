# Ior becomes the boundary.
volprep --make slab --size 10mm,10mm,1mm --materials elek2017 --material W -o w.vpk
common='--spp 4 --resolution 8x8 --device cpu --json --env 1'
volrender w.vpk $common -o a.vpf >a.txt
volrender w.vpk $common --boundary smooth --int-ior 1.5 --ext-ior 1 -o b.vpf >b.txt
volrender w.vpk $common --boundary none -o c.vpf >c.txt
grep scene_hash a.txt >a
grep scene_hash b.txt >b
grep scene_hash c.txt >c
cmp a b
s=0
cmp a c || s=$?
test $s = 1
