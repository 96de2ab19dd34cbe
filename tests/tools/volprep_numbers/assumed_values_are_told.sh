# Extinction and albedo that nothing gave are told.
# grep: --scale and --albedo are not given: extinction 1/mm at density 1 and albedo 0.9 are assumed
# grep: --sigma-t is not given: extinction 1/mm is assumed
# grep: --albedo is not given: albedo 0.9 is assumed
printf '\1' >v.raw
volprep v.raw --dims 1,1,1 --type u8 -o v.vpk
volprep --make cube --size 1mm --albedo .5 -o v.vpk
volprep --make cube --size 1mm --sigma-t 2 -o v.vpk
volprep v.raw --dims 1,1,1 --type u8 --scale 2 --albedo .5 -o v.vpk 2>given
volprep --make cube --size 1mm --sigma-t 2 --albedo .5 -o v.vpk 2>>given
volprep v.vpk -o w.vpk 2>>given
expect_status 1 grep 'not given' given
