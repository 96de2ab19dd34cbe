# Turntable turns a camera around its target.
# grep: view: 3
# grep: turn_deg: 270
volprep --make noise --dims 8,8,8 --size 2mm --sigma-t 10 -o v.vpk -q
volrender v.vpk --origin 10,0,4 --target 0,0,1 --fov 20 --lens 0.1mm --turntable 4 --resolution 16x12 --spp 2 -o 't%d.vpf' \
    --reproducible >t.txt
volrender v.vpk --origin 0,10,4 --target 0,0,1 --fov 20 --lens 0.1mm --resolution 16x12 --spp 2 -o w.vpf --reproducible -q >w.txt
cmp t1.vpf w.vpf
test -s t3.vpf
cat t.txt
