# Target of another size is averaged if asked.
# grep: --resample area brings
# grep: averaged from 96 x 64 to 48 x 32 pixels
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9,.5,.2 -o c.vpk
volrender c.vpk -o a.vpf --spp 64 --resolution 48x32
volrender c.vpk -o t.png --spp 16 --resolution 96x64 --backdrop 1
expect_status 1 volcompare a.vpf t.png
volcompare a.vpf t.png --resample area --threshold 'de2000.median<20'
