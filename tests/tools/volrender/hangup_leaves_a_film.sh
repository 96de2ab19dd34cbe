# Hangup leaves a film.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 5 --albedo 1 -o c.vpk -q
volrender c.vpk -o c.vpf --resolution 64x64 --spp 4000000 >/dev/null 2>err &
sleep 2
kill -HUP $!
status=0
wait $! || status=$?
test $status = 4
grep -q 'resume c.vpf' err
volinfo c.vpf --verify full
test "$(ls)" = "$(printf 'c.vpf\nc.vpk\nerr')"
