# Air around it by voxels.
printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n' >t.ply
volprep t.ply --print-mesh --pitch 0.1mm --ink-depth 0.2mm --colour '#208040' --materials elek2017 --surface voxels -o v.vpk
volinfo v.vpk --verify full >/dev/null
