# Light image is named again on resume.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
printf 'Pf\n4 2\n-1.0\n' >sky.pfm
printf '\0\0\200\77%.0s' 1 2 3 4 5 6 7 8 >>sky.pfm
volrender c.vpk -o c.vpf --spp 2 --resolution 20x20 --env sky.pfm
cp c.vpf d.vpf
volrender c.vpk --resume c.vpf --spp 4 --env sky.pfm
expect_status 3 volrender c.vpk --resume d.vpf --spp 4 2>err
grep -q 'again with --env' err
