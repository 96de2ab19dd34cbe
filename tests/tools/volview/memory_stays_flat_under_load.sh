# Memory stays flat under load.
# The address sanitizer would keep up to 256 MB of freed blocks: memory would grow until then. With its 8 MB and its caches it may grow for half a minute.
rounds=${ASAN_OPTIONS:+4}
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:quarantine_size_mb=8"
. $VOLPT_TESTS_DIR/tools/volview_serve.sh
volprep --make cube --size 1mm -o c.vpk -q
serve c.vpk --resolution 320x200
client wait 1
client load --pid $server --seconds 8 --settle 1 --grows-at-most-mb 4 --rounds ${rounds:-1}
