# Films that split a bank add up to the same file.
# grep: banks: 1
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.99 -o c.vpk -q
common='c.vpk --resolution 40x30 --long-steps on --reproducible'
volrender $common -o whole.vpf --samples 0:64
volrender $common -o a.vpf --samples 0:32
volrender $common -o b.vpf --samples 32:32
volmerge b.vpf a.vpf -o ab.vpf --reproducible
cmp ab.vpf whole.vpf
volinfo ab.vpf --verify full
