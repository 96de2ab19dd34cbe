# Strip of six faces is a sky.
# grep: "mean":[1.0
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 1 -o c.vpk -q
printf 'Pf\n6 1\n-1.0\n' >strip.pfm
printf '\0\0\200\77%.0s' 1 2 3 4 5 6 >>strip.pfm
volrender c.vpk -o c.vpf --spp 2 --resolution 20x20 --env strip.pfm --json | tr -d ' \n'
expect_status 2 volrender c.vpk -o d.vpf --env strip.pfm --env-layout cross 2>err
grep -q 'no cross of six squares' err
expect_status 2 volrender c.vpk -o d.vpf --env 1 --env-layout strip 2>err
grep -q 'needs an image' err
