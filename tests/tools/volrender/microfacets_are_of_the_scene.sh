# Microfacets are of the scene.
# grep: boundary.microfacets single instead of multiple
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 5 -o c.vpk -q
common='--resolution 20x20 --reproducible'
volrender c.vpk $common --alpha 0.1 --spp 3 -o m.vpf
volrender c.vpk $common --alpha 0.1 --spp 3 --microfacets multiple -o n.vpf
cmp m.vpf n.vpf
volrender c.vpk $common --alpha 0 --boundary rough --microfacets single --spp 3 -o p.vpf
volrender c.vpk $common --boundary smooth --spp 3 -o q.vpf
cmp p.vpf q.vpf
expect_status 2 volrender c.vpk --resume m.vpf --spp 4 --microfacets single
