# Slurm without sbatch.
# grep: there is no sbatch on PATH
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 1 -o c.vpk -q
mkdir bin
for t in bash dirname basename sed; do ln -s $(command -v $t) bin; done
expect_status 4 env PATH=$(dirname $(command -v volprep)):$PWD/bin bash $VOLPT_TESTS_DIR/../pipelines/slurm_render.sh c.vpk \
    -o f.vpf --samples 0:100
