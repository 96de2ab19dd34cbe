# Lens of radius 0 is a pinhole.
# grep: scene.camera.lens_radius_mm: 0.5
volprep --make checker --dims 8,8,8 --size 4mm --sigma-t 20 --albedo 0.9 -o c.vpk -q
volrender c.vpk -o a.vpf --spp 2 --resolution 20x20 --reproducible
volrender c.vpk -o b.vpf --spp 2 --resolution 20x20 --reproducible --lens 0,3mm
cmp a.vpf b.vpf
volrender c.vpk -o d.vpf --spp 2 --resolution 20x20 --lens 500um
volrender c.vpk --resume d.vpf --spp 3 --lens 0.5mm
volinfo d.vpf
