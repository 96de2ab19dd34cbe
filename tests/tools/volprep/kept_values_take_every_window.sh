# Kept values take every window.
# grep: source_values.store: plane
head -c 48000 /dev/urandom >in.raw
file='in.raw --dims 40,30,20 --type i16 --reproducible -q'
volprep $file --opacity -5000:0,0:1,1:0 --keep-values -o a.vpk
volinfo a.vpk --verify full
volprep a.vpk --window -32000.5,32000 --reproducible -o b.vpk -q
volprep $file --window -32000.5,32000 --keep-values -o c.vpk
cmp b.vpk c.vpk
