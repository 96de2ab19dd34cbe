# Reproducible leaves no provenance.
volprep --make cube --dims 1,1,1 --size 1mm -o c.vpk --reproducible -q
volprep --make cube --dims 1,1,1 --size 1mm -o d.vpk --reproducible -q
cmp c.vpk d.vpk
volrender c.vpk -o c.vpf --spp 4000 --resolution 64x64 --checkpoint .1 --reproducible
expect_status 1 grep -aq '"tool"' c.vpk c.vpf
