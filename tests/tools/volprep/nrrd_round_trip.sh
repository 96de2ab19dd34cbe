# Nrrd round trip.
head -c 48000 /dev/urandom >in.raw
volprep in.raw --dims 40,30,20 --type u16 --pitch 1,2,3 -o v.vpk
volprep v.vpk --export v.nrrd
volprep v.nrrd -o w.vpk
volprep w.vpk --export out.raw
cmp in.raw out.raw
volinfo v.vpk | grep -E "^(pitch|placement|data_checksum)" >v.txt
volinfo w.vpk | grep -E "^(pitch|placement|data_checksum)" >w.txt
cmp v.txt w.txt
