# Volume without long steps gives films that read.
# grep: "banks": 0
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 8 --albedo 0.9 -o n.vpk -q
r='volrender n.vpk --resolution 24x16 --long-steps on --reproducible -q'
$r -o whole.vpf --spp 70
volinfo whole.vpf --verify full --json
$r -o part.vpf --spp 30
volrender n.vpk --resume part.vpf --spp 70 --reproducible -q
cmp whole.vpf part.vpf
$r -o a.vpf --samples 0:30
$r -o b.vpf --samples 30:40
volmerge a.vpf b.vpf -o m.vpf --reproducible -q
cmp whole.vpf m.vpf
