# Token is in its file alone.
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
mkdir out
serve c.vpk --resolution 20x20 --out out
token=$(cat token)
test ${#token} -ge 32
test "$(stat -c %a token)" = 600
client wait 1
for kind in vpf exr png; do
    client get /film.$kind --output film.$kind
    client post /save "{\"kind\":\"$kind\"}"
done
client get /nothing --status 404
expect_status 1 grep -q $token server.json server.log
expect_status 1 grep -aq $token film.* out/*
tr '\0' ' ' </proc/$server/cmdline >words
expect_status 1 grep -q $token words
tr '\0' '\n' </proc/$server/environ >words
expect_status 1 grep -q $token words
