# Texture coordinates that are NaN or infinite count as absent: what is packed passes the full verification.
# grep: texture coordinates of 3 triangles are NaN or infinite, and left out
header='ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n'
faces='element face 4\nproperty list uchar int vertex_indices\nend_header\n'
uv='property float s\nproperty float t\n'
triangles='3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n'
printf '%b' "$header$uv${faces}0 0 0 0 0\n2 0 0 nan 0\n0 2 0 0 1\n0 0 2 1 1\n$triangles" >nan.ply
printf '%b' "$header${faces}0 0 0\n2 0 0\n0 2 0\n0 0 2\n$triangles" >none.ply
volprep nan.ply --sigma-t 1 --albedo .9 -o nan.vpk
volinfo --verify full nan.vpk
volprep none.ply --sigma-t 1 --albedo .9 -o none.vpk
# The light does not need them.
for name in nan none; do volrender $name.vpk --resolution 16x16 --spp 4 -o $name.exr; done
volcompare nan.exr none.exr
