for (const figure of document.querySelectorAll('.blink')) {
  const images = [...figure.parentElement.querySelectorAll('figure > img')].slice(0, 2).map(i => i.cloneNode());
  const button = figure.querySelector('button'), label = figure.querySelector('span');
  button.append(...images);
  let shown = 0, running = true;
  const show = which => { shown = which; images.forEach((i, k) => { i.hidden = k !== which }); label.textContent = images[which].alt };
  show(0);
  setInterval(() => { if (running) show(1 - shown) }, 700);
  button.addEventListener('click', () => { running = !running });
  button.addEventListener('keydown', e => {
    if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') { running = false; show(e.key === 'ArrowLeft' ? 0 : 1) }
  });
}

// Values of the pixel under the pointer, decoded when they are first asked for.
for (const line of document.querySelectorAll('.inspector')) {
  const section = line.closest('section');
  const sides = [...section.querySelectorAll('.values')].map(side => ({
    name: side.dataset.side, channels: side.dataset.channels.split(' '), width: +side.dataset.width, height: +side.dataset.height,
    text: side.textContent, values: null
  }));
  const valuesOf = side => side.values ??= new Float32Array(Uint8Array.from(atob(side.text), c => c.charCodeAt(0)).buffer);
  const format = value => String(+value.toPrecision(9));
  section.addEventListener('pointermove', e => {
    const image = e.target, { width, height } = sides[0];
    const isCrop = image.dataset?.x !== undefined;
    if (image.tagName !== 'IMG' || !isCrop && (image.naturalWidth !== width || image.naturalHeight !== height)) return;
    const box = image.getBoundingClientRect(), pick = (at, size, last) => Math.min(Math.max(Math.floor(at * size), 0), last);
    const x = pick((e.clientX - box.left) / box.width, image.naturalWidth, image.naturalWidth - 1) + +(image.dataset.x ?? 0);
    const y = pick((e.clientY - box.top) / box.height, image.naturalHeight, image.naturalHeight - 1) + +(image.dataset.y ?? 0);
    const pixels = sides.map(side => side.channels.map((_, c) => valuesOf(side)[c * width * height + y * width + x]));
    const describe = (name, numbers) => `${name} ${sides[0].channels.map((c, i) => `${c} ${format(numbers[i])}`).join(', ')}`;
    line.textContent = [`pixel ${x},${y}`, ...sides.map((side, i) => describe(side.name, pixels[i])),
      describe('difference', pixels[0].map((value, c) => value - pixels[1][c]))].join('; ');
  });
}
