# Interrupt inside a unit is heard.
volprep --make cube --dims 1,1,1 --size 10mm --sigma-t 3000 --albedo 1 -o c.vpk -q
volrender c.vpk -o c.vpf --resolution 64x64 --int-ior 1.5 --spp 100 >/dev/null 2>err &
sleep 1
kill -INT $!
status=0
wait $! || status=$?
test $status = 4
volinfo c.vpf --verify full
grep -q 'resume c.vpf' err
