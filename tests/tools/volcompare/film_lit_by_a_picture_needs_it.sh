# Film lit by a picture needs it.
# grep: pass
volprep --make cube --dims 8,8,8 --size 1mm,1mm,1mm --sigma-t 10 --albedo .9,.8,.5 -o c.vpk
volrender c.vpk -o c.vpf --spp 2 --resolution 20x15 --env $VOLPT_TEST_DATA/arnold-usd/rooftop_small.hdr
volcompare --against-cpu c.vpk c.vpf --env $VOLPT_TEST_DATA/arnold-usd/rooftop_small.hdr
expect_status 3 volcompare --against-cpu c.vpk c.vpf
