# An index of refraction that nothing gave is told, of probes too.
# grep: the boundary is smooth, of index 1.5, as nothing says otherwise: --int-ior gives another, --boundary none an index-matched probe
# grep: the boundary is rough, of index 1.5
volprep --make cube --size 1mm --sigma-t 1 --albedo .9 -o c.vpk -q
volrender c.vpk --probe top --spp 1 -o p.vpf
volrender c.vpk --boundary rough --resolution 4x4 --spp 1 -o r.vpf
volrender c.vpk --probe top --boundary none --spp 1 -o n.vpf 2>given
volrender c.vpk --probe top --int-ior 1.4 --spp 1 -o i.vpf 2>>given
volrender c.vpk --probe top --spp 2 --resume p.vpf -o p.vpf 2>>given
volprep --make cube --size 1mm --materials elek2017 --material W -o w.vpk -q
volrender w.vpk --probe top --spp 1 -o w.vpf 2>>given
expect_status 1 grep 'nothing says otherwise' given
