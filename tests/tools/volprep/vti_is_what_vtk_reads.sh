# Vti is what vtk reads.
python3 -c 'import vtk' 2>/dev/null || { echo 'skipped: there is no Python package vtk'; exit 77; }
python3 -c '
import struct
open("t.mha", "wb").write(
    b"NDims = 3\nDimSize = 5 4 3\nElementSpacing = 0.5 0.25 2\nOffset = 1 2 3\nTransformMatrix = 0 1 0 -1 0 0 0 0 1\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n"
    + struct.pack("<60f", *[0.37 * i for i in range(60)])
)
'
volprep t.mha -o t.vpk -q
volprep t.vpk --export t.vti
python3 -c '
import vtk
r = vtk.vtkXMLImageDataReader()
r.SetFileName("t.vti")
r.Update()
o = r.GetOutput()
a = o.GetPointData().GetArray("density")
m = o.GetDirectionMatrix()
assert (
    r.GetErrorCode() == 0 and o.GetDimensions() == (5, 4, 3) and o.GetSpacing() == (0.5, 0.25, 2) and o.GetOrigin() == (1, 2, 3)
), o
assert [m.GetElement(i, j) for i in range(3) for j in range(3)] == [0, -1, 0, 1, 0, 0, 0, 0, 1]
import struct
assert [a.GetTuple1(i) for i in range(60)] == list(struct.unpack("<60f", struct.pack("<60f", *[0.37 * i for i in range(60)])))
p = [0] * 3
o.TransformContinuousIndexToPhysicalPoint(4, 0, 0, p)
assert p == [1, 4, 3], p
'
