# The volprep line of the note makes a volume of the same film, and that film goes on with the file.
volprep --make noise --dims 20,18,16 --size 4mm --sigma-t 3 -o n.vpk -q
mkdir 'a folder'
volprep export n.vpk 'a folder/my head.nrrd' -q
volrender 'a folder/my head.nrrd' -o a.vpf --resolution 24x20 --spp 4 2>err
line=$(sed -n 's/.*: \(volprep .*\)$/\1/p' err)
test "$(wc -l <<<"$line")" = 1
bash -euc "$line -q"
volrender 'my head.vpk' -o b.vpf --resolution 24x20 --spp 4 -q
volcompare a.vpf b.vpf
test "$(volinfo a.vpf --json | grep film_hash)" = "$(volinfo b.vpf --json | grep film_hash)"
volrender 'a folder/my head.nrrd' --resume b.vpf --spp 6 -q
volrender 'my head.vpk' --resume a.vpf --spp 6 -q
test "$(volinfo a.vpf --json | grep film_hash)" = "$(volinfo b.vpf --json | grep film_hash)"
