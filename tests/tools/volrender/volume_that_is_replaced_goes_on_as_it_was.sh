# Volume that is replaced goes on as it was.
# grep: equal bits   yes
volprep --make noise --dims 64,64,64 --size 6mm --sigma-t 8 --albedo .8 -o v.vpk -q
cp v.vpk old.vpk
volprep --make noise --dims 64,64,64 --size 6mm --sigma-t 1 -o new.vpk -q
volrender v.vpk -o v.vpf --resolution 64x64 --spp 1000000 --time-limit 3 &
sleep 2
mv new.vpk v.vpk
wait $!
volcompare --against-cpu old.vpk v.vpf
