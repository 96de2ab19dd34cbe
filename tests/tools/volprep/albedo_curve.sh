# Albedo curve.
# grep: 3 bands
printf '\000\144\310\377' >in.raw
volprep in.raw --dims 4,1,1 --type u8 --opacity 0:0,100:1,200:0 --albedo-curve 0:.5:0:0,200:.75:1:1 --encode f32 -o v.vpk
volprep v.vpk --export a.raw --plane albedo
python3 -c '
import struct
v = struct.unpack("<12f", open("a.raw", "rb").read())
assert v == (0.5, 0, 0, 0.625, 0.5, 0.5, 0.75, 1, 1, 0.75, 1, 1), v
'
