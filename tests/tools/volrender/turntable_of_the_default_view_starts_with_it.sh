# Turntable of the default view starts with it.
volprep --make noise --dims 8,8,8 --size 2mm --sigma-t 10 -o v.vpk -q
volrender v.vpk --turntable 2 --resolution 16x12 --spp 2 -o 't%d.png' --reproducible -q >t.txt
volrender v.vpk --resolution 16x12 --spp 2 -o w.png --reproducible -q >w.txt
cmp t0.png w.png
expect_status 1 cmp -s t1.png w.png
