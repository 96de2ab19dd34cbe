# Banks are kept in the users folder for caches.
volprep --make cube --dims 1,1,1 --size 1 --sigma-t 12 -o c.vpk -q
common='c.vpk --device cpu --long-steps on --resolution 8x8 --spp 1 --reproducible -q'
volrender $common --bank-cache off -o off.vpf
test ! -e $XDG_CACHE_HOME
volrender $common -o cold.vpf
ls $XDG_CACHE_HOME/volpt/bank-*.vpb
volrender $common -o warm.vpf
for film in cold warm; do cmp $film.vpf off.vpf; done
