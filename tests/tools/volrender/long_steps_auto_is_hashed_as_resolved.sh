# Long steps auto is hashed as resolved.
volprep --make cube --dims 1,1,1 --size 3mm --sigma-t 60 --albedo 0.9995 -o dense.vpk -q
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 2 --albedo 0.9 -o thin.vpk -q
render() {
    volrender $1.vpk --long-steps $2 -o $1-$2.vpf --spp 1 --resolution 640x480 --reproducible -q
}
render dense auto
render dense on
render dense off
cmp dense-auto.vpf dense-on.vpf
expect_status 1 cmp -s dense-on.vpf dense-off.vpf
render thin auto
render thin off
cmp thin-auto.vpf thin-off.vpf
volrender thin.vpk -o thin.vpf --spp 1 --resolution 640x480 --reproducible
cmp thin.vpf thin-off.vpf
