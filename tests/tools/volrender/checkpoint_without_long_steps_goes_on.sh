# Checkpoint without long steps goes on.
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 8 --albedo 0.9 -o n.vpk -q
volrender n.vpk --resolution 64x64 --long-steps on --checkpoint 0.1 -o c.vpf --spp 1000000 -q >/dev/null &
while ! test -s c.vpf; do sleep 0.1; done
sleep 1
kill -KILL $!
s=0
wait $! || s=$?
test $s = 137
volinfo c.vpf --verify full --json | grep '"banks": 0'
volrender n.vpk --resume c.vpf --spp 1000001 --time-limit 0.1 -q
