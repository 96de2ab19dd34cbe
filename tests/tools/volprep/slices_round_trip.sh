# Slices round trip.
# grep: dims: [40,30,10]
# grep: pitch_mm: [0.001,0.001,0.001]
mkdir s
head -c 24000 /dev/urandom >in.raw
volprep in.raw --dims 40,30,20 --type u8 --pitch 1,2,3 -o v.vpk
volprep v.vpk --export 's/slice%03d.png'
volprep s --pitch 1,2,3 -o w.vpk
volprep w.vpk --export out.raw
cmp in.raw out.raw
volprep 's/slice00?.png' --pitch 1um -o ten.vpk
volinfo ten.vpk
