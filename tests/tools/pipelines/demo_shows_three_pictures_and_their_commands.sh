# The page has the pictures, and the commands that made them; here of few pixels and samples.
volrender=$(command -v volrender)
mkdir small
cat >small/volrender <<SCRIPT
#!/usr/bin/env bash
set -- "\${@/#[0-9]*x[0-9]*/24x24}"
exec "$volrender" "\$@"
SCRIPT
chmod +x small/volrender
PATH=$PWD/small:$PATH bash $VOLPT_TESTS_DIR/../pipelines/demo.sh out
for picture in print figurine smoke; do
    grep -q "img src=\"$picture.png\"" out/index.html
    file out/$picture.png | grep -q 'PNG image data, 24 x 24'
done
grep -o 'volrender [^ ]* ' out/index.html >commands
printf 'volrender %s \n' print.vpk figurine.vpk smoke.mha | diff - commands
test ! -e out/index.html.part
