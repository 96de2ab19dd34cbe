# Address is the answer.
volprep --make cube --size 1mm -o c.vpk -q
volview c.vpk --resolution 20x20 --exit-after 0.5 >answer 2>log
cat answer log
test $(wc -l <answer) = 1
grep -qxE 'http://127.0.0.1:[0-9]+/\?token=[0-9a-f]{32,}' answer
token=$(sed 's/.*token=//' answer)
expect_status 1 grep -q $token log
volview c.vpk --resolution 20x20 --exit-after 0.5 2>/dev/null | sed 's/.*token=//' >other
expect_status 1 grep -q $token other
