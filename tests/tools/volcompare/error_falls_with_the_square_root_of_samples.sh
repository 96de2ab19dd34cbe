# Error falls with the square root of samples.
# grep: "as_expected": true
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
for spp in 16 64 256 4096; do
    volrender c.vpk -o $spp.vpf --spp $spp --resolution 48x48 -q >/dev/null
done
volcompare --convergence 16.vpf 64.vpf 256.vpf 4096.vpf --plot c.svg --json
grep -q '<circle' c.svg
