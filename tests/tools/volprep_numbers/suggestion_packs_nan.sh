# What volinfo suggests packs a volume with NaN.
# grep: suggested_option: --window -3,9 --clamp
# grep: values.nan: 1
# grep: values.min: -3
# grep: 1 NaN and 0 infinite numbers: volprep refuses them without --clamp, or --nan VALUE for NaN
# grep: v.mha: 1 NaN became 0
printf 'NDims = 3\nDimSize = 4 1 1\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n' >v.mha
python3 -c 'import struct; open("v.mha", "ab").write(struct.pack("<4f", float("nan"), -3, 5, 9))'
volinfo v.mha --histogram >i
cat i
option=$(sed -n 's/^suggested_option: //p' i)
volprep v.mha $option -o v.vpk
