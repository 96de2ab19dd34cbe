# Interrupt leaves a film that goes on.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 5 --albedo 1 -o c.vpk -q
volrender c.vpk -o c.vpf --resolution 64x64 --spp 4000000 >/dev/null &
sleep 2
kill -INT $!
status=0
wait $! || status=$?
test $status = 4
n=$(volinfo c.vpf --json | sed -n 's/.*"samples": \([0-9]*\).*/\1/p')
test $n -gt 0
volrender c.vpk --resume c.vpf --spp $((n + 64)) --reproducible
volrender c.vpk -o whole.vpf --resolution 64x64 --spp $((n + 64)) --reproducible
cmp c.vpf whole.vpf
