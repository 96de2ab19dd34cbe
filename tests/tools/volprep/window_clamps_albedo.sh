# Window clamps albedo.
# grep: 1 values below and 1 above the window were clamped
printf '\000\100\200\300\377\100' >c.raw
printf 'NDims = 3\nDimSize = 2 1 1\nElementType = MET_UCHAR\nElementNumberOfChannels = 3\nElementDataFile = c.raw\n' >c.mhd
volprep c.mhd --window 64,192 --encode f32 -o c.vpk
volprep c.vpk --export a.mha --plane albedo
tail -c 24 a.mha | python3 -c '
import struct, sys
assert struct.unpack("<6f", sys.stdin.buffer.read()) == (0, 0, 0.5, 1, 1, 0)
'
