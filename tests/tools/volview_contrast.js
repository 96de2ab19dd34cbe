// Contrast (WCAG 2.1) of all visible texts with what lies behind them, from computed styles: run inside of the page by volview_page.py.
// Where something is translucent above the rendered picture, the worse of a black and a white picture counts.

const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});

function parse(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
}

function blend([r, g, b, a], under) {
    return [r * a + under[0] * (1 - a), g * a + under[1] * (1 - a), b * a + under[2] * (1 - a), 1];
}

function luminance(colour) {
    const [r, g, b] = colour.slice(0, 3).map((value) => {
        const v = value / 255;
        return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}

function backgrounds(element) {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
        const colour = parse(getComputedStyle(e).backgroundColor);
        if (colour[3] > 0) layers.push(colour);
        if (colour[3] === 1) return [layers];
        if (e.id === "stage") break;
    }
    return [[...layers, [0, 0, 0, 1]], [...layers, [255, 255, 255, 1]]];
}

function opacity(element) {
    let product = 1;
    for (let e = element; e; e = e.parentElement) product *= parseFloat(getComputedStyle(e).opacity);
    return product;
}

const own = (element) => [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join(" ").trim();
const isHiddenVisually = (e) => {
    const box = e.getBoundingClientRect();
    return box.width <= 1 || box.height <= 1;
};

return [...document.body.querySelectorAll("*")].map((element) => {
    const isField = ["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName) && !["range", "radio", "checkbox", "color"].includes(element.type);
    const text = isField ? element.value || element.placeholder || "" : own(element);
    if (!text || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) || isHiddenVisually(element)) return null;
    if (element.closest(":disabled, [aria-disabled=true]") || element.tagName === "OPTION" || element.closest("svg, script, style")) return null;
    const style = getComputedStyle(element, isField && !element.value ? "::placeholder" : null), colour = parse(style.color);
    colour[3] *= opacity(element);
    const results = backgrounds(element).map((layers) => {
        const behind = layers.reverse().reduce((under, layer) => blend(layer, under));
        return {contrast: contrast(blend(colour, behind), behind), colours: [colour, behind].map((c) => c.map(Math.round).slice(0, 3).join(",")).join(" on ")};
    });
    const worst = results.sort((a, b) => a.contrast - b.contrast)[0];
    return {...worst, text: text.slice(0, 40), element: element.tagName + (element.id ? "#" + element.id : "")};
}).filter(Boolean);
