# Volume that another program cuts is told and what was done is kept.
# grep: v.vpk: the volume changed during the render
# grep: --resume v.vpf
# grep: equal bits   yes
volprep --make noise --dims 64,64,64 --size 6mm --sigma-t 8 --albedo .8 -o v.vpk -q
cp v.vpk old.vpk
volprep --make noise --dims 64,64,64 --size 6mm --sigma-t 1 -o new.vpk -q
volrender v.vpk -o v.vpf --resolution 64x64 --spp 1000000 >/dev/null 2>err &
sleep 2
: >v.vpk
sleep .2
cp new.vpk v.vpk
status=0
wait $! || status=$?
cat err
test $status = 3
volinfo v.vpf --verify full >/dev/null
volcompare --against-cpu old.vpk v.vpf
