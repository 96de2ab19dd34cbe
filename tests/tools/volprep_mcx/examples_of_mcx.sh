# The examples of MCX's authors: those that have what volpt has are packed, others are refused by name, none for a line end in a string.
# grep: benchmark1 [60, 60, 60]
# grep: benchmark3 [60, 60, 60]
# grep: qtest [60, 60, 60]
# grep: grid3x [180, 180, 180]
# grep: rfreplay [60, 60, 60]
# grep: jsonshape [40, 60, 50]
# grep: spherebox [60, 60, 60]
# grep: USC_19-5_atlas [166, 209, 223]
# grep: Session.OutputType 'rf' is not computed
# grep: Optode.Source.Type: 'fourier' is no source that is read
# grep: Domain.MieScatter: is not read
packed=0
for file in "$VOLPT_TEST_DATA"/mcx-examples/*/*.json; do
    status=0
    volprep "$file" -o m.vpk --json >m.json 2>notes || status=$?
    cat notes
    if [[ $status -eq 0 ]]; then
        python3 -c 'import json, sys; print(sys.argv[1], json.load(open("m.json"))["dims"])' "$(basename "$file" .json)"
        packed=$((packed + 1))
    else
        test $status = 3
        expect_status 1 grep 'control character' notes
    fi
done
test $packed = 8
