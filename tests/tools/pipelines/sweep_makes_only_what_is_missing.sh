# Sweep makes only what is missing.
# grep: 8: rendered
command -v make >/dev/null || { echo 'skipped: no make'; exit 77; }
s=$VOLPT_TESTS_DIR/../pipelines/sweep.sh
bash $s thickness 0.5,2 out SPP=256
touch -d 2001-01-01 out/0.5.vpk
touch -d 2002-01-01 out/0.5.vpf
cp -p out/0.5.vpf kept
touch -d 2000-01-01 out/*.pack out/view.options
bash $s thickness 0.5,2,8 out SPP=256
test ! out/0.5.vpf -nt kept
test "$(wc -l <out/sweep.csv)" -eq 4
python3 -c '
import csv
rows = list(csv.DictReader(open("out/sweep.csv")))
assert 0 < float(rows[0]["de2000.noise_mean"]) and 0 < float(rows[0]["de2000.noise_share"]) <= 1
r = [float(row["reflectance R"]) for row in rows]
assert r[0] < r[1] < r[2] < 1, r
assert float(rows[2]["de2000.mean"]) == 0 and float(rows[0]["L*"]) < float(rows[2]["L*"])
'
