# A mesh without options is a grey medium, which is told.
# grep: --sigma-t and --albedo are not given: extinction 1/mm and albedo 0.9 are assumed
python3 -c '
v, f = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % v[i] for i in t) + "endloop\nendfacet\n" for t in f)
open("t.stl", "w").write("solid t\n" + facets + "endsolid t\n")
'
volprep t.stl -o t.vpk
