# Dry run prints the jobs.
# grep: --array=0-3%2
# grep: --signal=B:TERM@60
# grep: --requeue
# grep: --gpus-per-task=1 --time=60
# grep: --dependency=afterany:
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 1 -o c.vpk -q
bash $VOLPT_TESTS_DIR/../pipelines/slurm_render.sh c.vpk -o out/f.vpf --samples 0:100 --chunk 30 \
    --sbatch '--gpus-per-task=1 --time=60' --at-once 2 --dry-run
test ! -e out
