# Ground is part of the scene.
volprep --make cube --size 2mm -o c.vpk -q
common='--resolution 9x9 --device cpu -q --reproducible'
volrender c.vpk $common --ground checker:.2:.7:1mm --ground-up -z --spp 6 -o all.vpf >/dev/null
volrender c.vpk $common --ground checker:.2:.7:1mm --ground-up -z --spp 2 -o f.vpf >/dev/null
volrender c.vpk $common --resume f.vpf --spp 6 -o f.vpf >/dev/null
cmp f.vpf all.vpf
volinfo f.vpf >info
grep '^scene.ground.kind: checker' info
grep '^scene.ground.check_mm: 1' info
