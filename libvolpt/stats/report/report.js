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
