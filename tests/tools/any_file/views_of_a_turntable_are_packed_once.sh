# Views of a turntable are packed once.
volprep --make noise --dims 16,16,16 --size 4mm -o n.vpk -q
volprep export n.vpk n.mha -q
volrender n.mha --from 0,15 --turntable 3 -o 'v%d.vpf' --resolution 16x16 --spp 1 2>err
test "$(grep -c 'volprep n.mha' err)" = 1
line=$(sed -n 's/.*: \(volprep .*\)$/\1/p' err)
bash -euc "$line -q"
volrender n.vpk --from 120,15 -o one.vpf --resolution 16x16 --spp 1 -q
test "$(volinfo v1.vpf --json | grep film_hash)" = "$(volinfo one.vpf --json | grep film_hash)"
