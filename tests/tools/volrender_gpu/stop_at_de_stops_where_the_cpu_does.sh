# Stop at de stops where the cpu does.
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no GPU is here"; exit 77; }
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 20 --albedo 0.95,0.8,0.5 -o c.vpk -q
for device in cuda cpu; do
    volrender c.vpk -o $device.vpf --device $device --stop-at-de 1 --resolution 90x70 --reproducible
done
cmp cuda.vpf cpu.vpf
