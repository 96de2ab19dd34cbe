# Sweep of tables with other bands.
command -v make >/dev/null || { echo 'skipped: no make'; exit 77; }
bash $VOLPT_TESTS_DIR/../pipelines/sweep.sh materials elek2017_36,elek2017 out \
    PICTURE=$VOLPT_TESTS_DIR/../pipelines/data/chart.png SIZE=2mm,1mm CORE=0.5mm SPP=8 RESOLUTION=8x4
python3 -c '
import csv
spectral, rgb = csv.DictReader(open("out/sweep.csv"))
assert None not in spectral and None not in rgb
assert spectral["reflectance R"] == rgb["reflectance 550 nm"] == ""
assert (
    all(0 < float(row[key]) < 1 for row, key in ((spectral, "reflectance 550 nm"), (rgb, "reflectance R")))
    and 0 < float(rgb["L*"]) < 100
)
'
