# A film of --scene goes on with the same line and without it; --ground, --env and --from each replace its part.
volprep --make cube --dims 1,1,1 --size 1mm,2mm,3mm --sigma-t 2 --albedo .9 -o c.vpk -q
small=(--resolution 11x7 --reproducible -q)

volrender c.vpk --scene studio --spp 2 "${small[@]}" -o whole.vpf
for again in '--scene studio' ''; do
    read -ra words <<<"$again"
    volrender c.vpk --scene studio --spp 1 "${small[@]}" -o part.vpf
    if [[ -n $again ]]; then words+=("${small[@]}"); else words+=(--reproducible -q); fi
    volrender c.vpk --resume part.vpf --spp 2 -o part.vpf "${words[@]}"
    cmp part.vpf whole.vpf
done
volrender c.vpk --scene studio --spp 1 "${small[@]}" -o part.vpf
if volrender c.vpk --scene window --resume part.vpf --spp 2 -o part.vpf -q 2>err; then exit 1; fi
grep 'contradict the scene of part.vpf' err

# name PATTERN: what the scene of x.vpf says.
expect() {
    volinfo x.vpf --json >x.json
    grep -F "$1" x.json
}
volrender c.vpk --scene studio --ground none --spp 1 "${small[@]}" -o x.vpf
expect '"ground.kind": "none"'
volrender c.vpk --scene studio --env .7 --spp 1 "${small[@]}" -o x.vpf
expect '"environment.radiance": "0.7"'
volrender c.vpk --scene studio --from top --spp 1 "${small[@]}" -o x.vpf
volinfo x.vpf --json >scene.json
volrender c.vpk --from top --spp 1 "${small[@]}" -o x.vpf
volinfo x.vpf --json >plain.json
cmp <(grep camera scene.json) <(grep camera plain.json)
