# Radiances that are none become 0.
# grep: give --clamp, or correct the file
# grep: e.mha: 1 NaN became 0
# grep: e.mha: 1 numbers below 0 became 0
printf 'NDims = 3\nDimSize = 2 1 1\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n\1\1' >v.mha
printf 'NDims = 3\nDimSize = 2 1 1\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n' >e.mha
python3 -c 'import struct; open("e.mha", "ab").write(struct.pack("<2f", float("nan"), -1))'
expect_status 3 volprep v.mha --emission-file e.mha -o w.vpk
volprep v.mha --emission-file e.mha --clamp -o w.vpk
