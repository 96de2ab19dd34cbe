# Kept values change no picture.
head -c 4096 /dev/urandom >in.raw
for k in '' --keep-values; do
    volprep in.raw --dims 16,16,8 --type i16 --window -20000,20000 --scale 2 $k -o v$k.vpk -q
    volrender v$k.vpk -o v$k.vpf --spp 2 --resolution 20x20 --reproducible -q || exit 1
done
cmp v.vpf v--keep-values.vpf
test $(stat -c %s v--keep-values.vpk) -gt $(stat -c %s v.vpk)
