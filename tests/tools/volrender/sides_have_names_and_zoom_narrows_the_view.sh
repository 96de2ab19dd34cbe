# --from takes the names of sides; --zoom changes the field of view alone.
volprep --make cube --dims 1,1,1 --size 1mm,2mm,3mm --sigma-t 2 --albedo .9 -o c.vpk -q

# render NAME ARGUMENTS
render() {
    local name=$1
    shift
    volrender c.vpk -o "$name.vpf" --spp 1 --resolution 9x9 --reproducible -q "$@"
    volinfo "$name.vpf" --json >"$name.json"
}

for pair in front=-y right=+x back=+y left=-x top=+z bottom=-z; do
    render side --from "${pair%=*}"
    render axis --from "${pair#*=}"
    cmp side.vpf axis.vpf
done

render wide --ortho 3 --zoom 2
render narrow --ortho 1.5
cmp wide.vpf narrow.vpf
render default
render one --zoom 1
cmp default.vpf one.vpf

# The same line goes on with its film, and another zoom is another view.
for view in '--zoom 2' '--from left --zoom 2' '--ortho 3 --zoom 2' '--origin 0,-9,1 --target 0,0,0 --zoom 2'; do
    read -ra words <<<"$view"
    volrender c.vpk -o part.vpf --spp 1 --resolution 9x7 --reproducible -q "${words[@]}"
    volrender c.vpk -o part.vpf --spp 2 --resume part.vpf --reproducible -q "${words[@]}"
    volrender c.vpk -o whole.vpf --spp 2 --resolution 9x7 --reproducible -q "${words[@]}"
    cmp part.vpf whole.vpf
done
if volrender c.vpk -o part.vpf --spp 3 --resume part.vpf --zoom 3 -q 2>err; then exit 1; fi
grep camera.fov_x_deg err

render far --from front
render near --from front --zoom 1.5
grep -F '"camera.fov_x_deg": "30"' far.json
grep -F '"camera.fov_x_deg": "20.256158' near.json
cmp <(grep camera.origin far.json) <(grep camera.origin near.json)
