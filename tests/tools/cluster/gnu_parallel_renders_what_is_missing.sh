# Gnu parallel renders what is missing.
command -v parallel >/dev/null || { echo 'skipped: GNU parallel is not installed'; exit 77; }
s=$VOLPT_TESTS_DIR/../pipelines/parallel_render.sh
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 -o 'a cube.vpk' -q
common='--resolution 40x30 --samples 3:100 --reproducible -q'
volrender 'a cube.vpk' $common -j 1 -o one.vpf >/dev/null
bash $s --engine parallel 'a cube.vpk' $common --tasks 8 --jobs 2 -o 'the film.vpf' -o film.png
cmp 'the film.vpf' one.vpf
test -s film.png
rm *film.vpf *.parts/0000[25].vpf
touch -d 2001-01-01 *.parts/*.vpf
bash $s --engine parallel --missing 'the film.vpf.parts'
cmp 'the film.vpf' one.vpf
test "$(find *.parts -name '*.vpf' -newermt 2002-01-01 | wc -l)" = 2
