# Render is dark around.
volprep --make sphere --dims 16,16,16 --size 4mm --sigma-t 1 --albedo 0.5 --emission 1 -o h.vpk -q
volrender h.vpk --device cpu --spp 2 --resolution 16x16 -o a.vpf --reproducible
volrender h.vpk --device cpu --env 0 --spp 2 --resolution 16x16 -o b.vpf --reproducible
cmp a.vpf b.vpf
volinfo a.vpf | grep -q emission
expect_status 2 volrender h.vpk --long-steps on --spp 1 --resolution 8x8 -o c.vpf 2>err
grep -q long_steps err || exit 1
volprep --make cube --size 1mm --albedo 1 --emission 1 -o w.vpk -q
s=0
volrender w.vpk --spp 1 --resolution 8x8 -o w.vpf 2>err || s=$?
test $s = 2
grep -q 'no light' err
