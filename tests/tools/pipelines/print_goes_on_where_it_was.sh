# A print that was interrupted goes on where it was: nothing is packed again, and the film ends with the bits of one run. Other settings begin anew.
# grep: going on in out
p=$VOLPT_TESTS_DIR/../pipelines
print() { bash $p/print_texture.sh $p/data/chart.png out SIZE=3mm,2mm CORE=0.5mm INK_DEPTH=0.1mm STOP_AT_DE=0.001 "$@"; }
hash_of() { volinfo out/print.vpf | grep '^film_hash'; }
print SPP=4
hash_of >whole
packed=$(stat -c %i out/print.vpk)
volrender out/print.vpk --probe top --dpi 150 --spp 1 -o out/print.vpf
rm out/sheet.html
print SPP=4 2>err
test -s out/sheet.html
hash_of | diff whole -
[[ $(stat -c %i out/print.vpk) == "$packed" ]]
volrender out/print.vpk --probe top --dpi 150 --spp 6 -o out/print.vpf
print SPP=4 2>err
volinfo out/print.vpf | grep -q '^samples: 6$'
print SPP=2 2>other
if grep -q 'going on' other; then exit 1; fi
volinfo out/print.vpf | grep -q '^samples: 2$'
cat err >&2
