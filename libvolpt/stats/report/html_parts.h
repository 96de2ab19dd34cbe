// Style and script of the report page.
#pragma once

#include <string_view>

namespace volpt {

inline constexpr std::string_view kReportStyle = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1.15em; border-top: 1px solid #ccc; padding-top: 1em } h3 { font-size: 1em; margin: .6em 0 0 }
ul { margin: .2em 0 } .row { display: flex; flex-wrap: wrap; gap: 1em; margin: 1em 0 } figure { margin: 0 }
figure > img, .blink img { display: block; width: 400px; image-rendering: pixelated; border: 1px solid #999 }
figcaption { font-size: .85em; max-width: 400px; overflow-wrap: anywhere } .scale { width: 160px; height: 10px; vertical-align: middle }
.blink button { padding: 0; border: 0; background: none; cursor: pointer; display: block } .blink [hidden] { display: none }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums }
td, th { padding: .15em .8em; border-bottom: 1px solid #ddd; text-align: right } td:first-child, th:first-child { text-align: left }
.pass, .fail { padding: .1em .5em; border-radius: 3px; color: #fff } .pass { background: #18794e } .fail { background: #b42318 }
svg { max-width: 100% } svg text { font-size: 12px; text-anchor: middle } .bar { fill: #6b8fb5 }
.bell { fill: none; stroke: #b42318; stroke-width: 1.5 } pre { overflow: auto }
)";

/// The blink comparator shows copies of the section's first two pictures in turn.
inline constexpr std::string_view kReportScript = R"(
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
)";

} // namespace volpt
