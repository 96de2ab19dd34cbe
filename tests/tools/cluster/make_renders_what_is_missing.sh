# Make renders what is missing.
command -v make >/dev/null || { echo 'skipped: make is not installed'; exit 77; }
s=$VOLPT_TESTS_DIR/../pipelines/parallel_render.sh
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 -o 'a cube.vpk' -q
common='--resolution 40x30 --samples 3:100 --reproducible -q'
volrender 'a cube.vpk' $common -j 1 -o one.vpf >/dev/null
bash $s --engine make 'a cube.vpk' $common --chunk 13 --jobs 2 -o 'the film.vpf'
cmp 'the film.vpf' one.vpf
rm *film.vpf *.parts/0000[05].vpf
touch -d 2001-01-01 *.parts/*.vpf
bash $s --engine make 'a cube.vpk' $common --chunk 13 -o 'the film.vpf'
cmp 'the film.vpf' one.vpf
test "$(find *.parts -name '*.vpf' -newermt 2002-01-01 | wc -l)" = 2
