# Albedo round trip.
# grep: 10x10x10 times 3 numbers of type u8
head -c 3000 /dev/urandom >in.raw
printf 'ObjectType = Image\nNDims = 3\nDimSize = 10 10 10\nElementType = MET_UCHAR\nElementNumberOfChannels = 3\nBinaryData = True\nElementDataFile = in.raw\n' >in.mhd
volprep in.mhd -o v.vpk
for e in raw mha nrrd; do volprep v.vpk --export out.$e --plane albedo; done
cmp in.raw out.raw
for e in mha nrrd; do
    volprep out.$e -o w.vpk
    volprep w.vpk --export again.raw --plane albedo
    cmp in.raw again.raw
done
