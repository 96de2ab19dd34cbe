# Sweep without matplotlib has its figures.
# grep: matplotlib is missing
command -v make >/dev/null || { echo 'skipped: no make'; exit 77; }
bash $VOLPT_TESTS_DIR/../pipelines/sweep.sh thickness 0.5,2 out SPP=4 RESOLUTION=4x4 >/dev/null 2>&1
mkdir none
echo 'raise ModuleNotFoundError(name="matplotlib")' >none/matplotlib.py
rm out/sweep.csv
PYTHONPATH=$PWD/none bash $VOLPT_TESTS_DIR/../pipelines/sweep.sh thickness 0.5,2 out SPP=4 RESOLUTION=4x4
test "$(wc -l <out/sweep.csv)" -eq 3
