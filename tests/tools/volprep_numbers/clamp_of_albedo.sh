# Albedos beyond 0 to 1 become its ends.
# grep: or give --clamp
# grep: c.mha: 1 NaN became 0
# grep: c.mha: 1 numbers above 1 became 1
# grep: 0               0               1
printf 'NDims = 3\nDimSize = 1 1 1\nElementType = MET_FLOAT\nElementNumberOfChannels = 3\nElementDataFile = LOCAL\n' >c.mha
python3 -c 'import struct; open("c.mha", "ab").write(struct.pack("<3f", -1, float("nan"), 1.5))'
expect_status 3 volprep c.mha -o a.vpk
volprep c.mha --clamp -o a.vpk --encode f32
volprep a.vpk --plane albedo --export a.raw
od -An -tf4 a.raw
