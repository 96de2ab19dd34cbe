# Few particles are undecided: status 1, never a pass, with the samples that it needs.
volprep --make cube --dims 8,8,8 --size 1mm --sigma-t 8 --albedo .95 -o c.vpk -q
render() {
    volrender c.vpk --boundary none --env 0 --origin 0,0,6 --target 0,0,0 --up 0,1,0 --fov 16 --resolution 48x48 -q \
        --light 'sphere center=1.5,1.2,2 radius=0.3 power=10' "$@"
}
render --spp 32 -o p.vpf
render --spp 2 --seed 2 --integrator light -o l.vpf
volcompare l.vpf l.vpf --statistical
expect_status 1 volcompare p.vpf l.vpf --statistical --json --html p.html --junit j.xml >a.json
python3 - <<'END'
import json
answer = json.load(open("a.json"))
found = answer["statistics"]
assert answer["verdict"] == "undecided" and found["same_expectation"] and not found["decided"] and found["judged_light"] < 0.5, answer
assert found["samples_needed"]["test"] == 32 and 4 < found["samples_needed"]["reference"] < 400, found["samples_needed"]
print("needs", round(found["samples_needed"]["reference"]), file=open("needed", "w"))
END
grep -q 'class="undecided">undecided' p.html
grep -q 'failure type="undecided" message="undecided: only' j.xml
echo '{"schema_version": 1, "pairs": [{"test": "p.vpf", "reference": "l.vpf", "statistical": true}]}' >s.json
expect_status 1 volcompare --suite s.json
# grep: UNDECIDED  p.vpf
# grep: samples per pixel, it has 2
render --spp "$(cut -d ' ' -f 2 needed)" --seed 2 --integrator light -o l.vpf
volcompare p.vpf l.vpf --statistical
