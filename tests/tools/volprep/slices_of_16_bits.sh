# Slices of 16 bits.
# grep: 0   0   0  40   0   0   0  30  16   0
# grep: type u16
mkdir s
head -c 48000 /dev/urandom >in.raw
volprep in.raw --dims 40,30,20 --type u16 --pitch 1,2,3 -o v.vpk
volprep v.vpk --export 's/slice%03d.png'
volprep s --pitch 1,2,3 -o w.vpk
volprep w.vpk --export out.raw
cmp in.raw out.raw
head -c 26 s/slice007.png | tail -c 10 | od -An -tu1
