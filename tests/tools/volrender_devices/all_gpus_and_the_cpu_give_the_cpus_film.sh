# All gpus and the cpu give the cpus film.
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no GPU is here"; exit 77; }
volprep --make noise --dims 24,24,24 --size 3mm --sigma-t 10 --albedo 0.9 -o n.vpk -q
for d in cpu all cpu+all; do
    volrender n.vpk --resolution 300x200 --spp 256 --devices $d -o $d.vpf --reproducible
    cmp cpu.vpf $d.vpf
done
