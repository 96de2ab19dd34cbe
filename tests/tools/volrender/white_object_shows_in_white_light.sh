# White object shows in white light.
# grep: c.png: shows the light behind the volume at 0.2 of its radiance
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 1 -o c.vpk -q
volrender c.vpk -o c.vpf -o c.png -o c.pfm --resolution 40x30 --spp 4 --json
volrender c.vpk -o light.png -o light.vpf --resolution 40x30 --spp 4 --backdrop 1
volcompare c.vpf light.vpf
expect_status 1 volcompare c.png light.png
expect_status 1 volcompare c.png c.vpf
volmerge c.vpf -o same.png -o same.pfm
volcompare same.png light.png
cmp same.pfm c.pfm
