# Cgg logo.
# grep: long_steps: on
python3 -B $VOLPT_TESTS_DIR/../pipelines/draw_textures.py logo l.png
volprep --slab l.png --dims 100,100,100 --size 1mm,1mm,1mm --ink-share 0.1 --side +z --sigma-t 100 --base-albedo 1 -o l.vpk -q
common='l.vpk --origin 0,0,100 --target 0,0,0 --up 0,1,0 --fov 0.7 --boundary rough --alpha 0.1 --int-ior 1.05 --ext-ior 1.01 --resolution 96x96 --spp 64'
volrender $common -o plain.vpf -q
volrender $common --long-steps on --seed 2 -o on.vpf -q
volinfo on.vpf
volcompare on.vpf plain.vpf --statistical
