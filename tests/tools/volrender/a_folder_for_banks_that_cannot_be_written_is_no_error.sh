# A folder for banks that cannot be written is no error.
volprep --make cube --dims 1,1,1 --size 1 --sigma-t 12 -o c.vpk -q
volrender c.vpk --device cpu --long-steps on --resolution 8x8 --spp 1 --bank-cache c.vpk/below -o a.vpf -q 2>err
test ! -s err
env -u XDG_CACHE_HOME -u HOME volrender c.vpk --device cpu --long-steps on --resolution 8x8 --spp 1 -o b.vpf -q 2>err
test ! -s err
