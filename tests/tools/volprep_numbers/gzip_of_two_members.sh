# A headerless gzip file of two members is read; what follows them is told.
# grep: v.raw.gz: 4 bytes after the compressed data are ignored
head -c 64 /dev/urandom >in.raw
head -c 40 in.raw | gzip >v.raw.gz
tail -c 24 in.raw | gzip >>v.raw.gz
printf 'more' >>v.raw.gz
volprep v.raw.gz --dims 4,4,4 --type u8 -o v.vpk
volprep v.vpk --export out.raw
cmp in.raw out.raw
