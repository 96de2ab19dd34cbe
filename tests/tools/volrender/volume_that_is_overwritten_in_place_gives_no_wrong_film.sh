# Volume that is overwritten in place gives no wrong film.
# grep: the volume changed during the render
# grep: equal bits   yes
volprep --make noise --dims 64,64,64 --size 6mm --sigma-t 8 --albedo .8 -o v.vpk -q
cp v.vpk old.vpk
volrender v.vpk -o v.vpf --resolution 64x64 --spp 1000000 >/dev/null 2>err &
sleep 2
dd if=/dev/zero of=v.vpk bs=4096 seek=5 count=100 conv=notrunc status=none
status=0
wait $! || status=$?
cat err
test $status = 3
volcompare --against-cpu old.vpk v.vpf
