# Segments are named.
# grep: (3 = skull, 4 = brain)
# grep: segments: ["3 = skull","4 = brain"]
printf 'NRRD0004\ntype: unsigned char\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nSegment0_Name:=skull\nSegment0_LabelValue:=3\nSegment1_Name:=brain\nSegment1_LabelValue:=4\n\n\0\3\4\4\0\0\3\3' >s.nrrd
volprep s.nrrd -o s.vpk
volinfo s.nrrd
