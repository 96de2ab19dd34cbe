# Threshold forgives other samples.
# grep: is not < 0.32
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9 -o c.vpk
volrender c.vpk -o a.vpf --samples 0:8 --resolution 20x15
volrender c.vpk -o b.vpf --samples 8:8 --resolution 20x15
volcompare a.vpf b.vpf --threshold 'max<0.33 and rmse>0.07'
expect_status 1 volcompare a.vpf b.vpf --threshold 'max<0.32'
