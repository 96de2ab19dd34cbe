# Film and pictures.
# grep: "film_hash"
# grep: "seconds_render"
# grep: "paths": 4800,
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volrender c.vpk -o c.vpf -o c.exr -o c.png --resolution 40x30 --spp 4 --json
volinfo c.vpf --verify full
test -s c.png
test -s c.exr
