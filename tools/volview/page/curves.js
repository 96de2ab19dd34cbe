// A histogram with a piecewise linear curve over it, whose points are dragged.
import {print} from "/fields.js";

const kColours = {opacity: "#7cc4ff", albedo: "#ffb86b"};
const kReach_px = 14;
const kMargin_px = 9;

export function parseCurve(text) {
    if (!text) return [];
    return text.split(",").map((pair) => pair.split(":").map(Number)).filter((pair) => pair.length === 2 && pair.every(Number.isFinite));
}

export const printCurve = (points) => points.map(([x, y]) => `${print(x, 5)}:${print(y, 5)}`).join(",");

export class CurveEditor {
    /// `histogram`: {from, to, counts}. `changed(text)` gets the curve while it is dragged, `released()` tells that the drag has ended.
    constructor(canvas, histogram, changed, released) {
        this.canvas = canvas;
        const {from, to} = histogram;
        this.histogram = {...histogram, to: to > from ? to : from + 1}; // of a volume of zeros: X of two points differ
        this.changed = changed;
        this.released = released;
        this.chosen = -1;
        this.isDragging = false;
        this.show("opacity", "", "");
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.drag(event));
        canvas.addEventListener("pointerup", () => this.release());
        canvas.addEventListener("pointercancel", () => this.release());
        canvas.addEventListener("dblclick", () => this.remove());
        canvas.addEventListener("keydown", (event) => this.pressKey(event));
        canvas.addEventListener("focus", () => this.draw());
        canvas.addEventListener("blur", () => this.draw());
        new ResizeObserver(() => this.draw()).observe(canvas);
    }

    /// Opacity as it is: the first drag then changes no more than its point.
    makeDefault() {
        const {from, to} = this.histogram;
        return this.name === "opacity" ? [[from, from], [to, to]] : [[from, 0.9], [to, 0.9]];
    }

    /// Y at the upper edge. Opacity replaces densities, so that it has their range.
    findTop(name, points) {
        return name === "opacity" ? Math.max(this.histogram.to, ...points.map(([, y]) => y)) : 1;
    }

    /// Without a text, points to start from are shown, faintly: nothing is sent until one is moved.
    show(name, text, otherText) {
        if (this.isDragging) return;
        this.name = name;
        this.isSet = Boolean(text);
        this.points = text ? parseCurve(text) : this.makeDefault();
        this.otherName = name === "opacity" ? "albedo" : "opacity";
        this.other = parseCurve(otherText);
        this.tops = {[name]: this.findTop(name, this.points), [this.otherName]: this.findTop(this.otherName, this.other)};
        this.chosen = Math.min(this.chosen, this.points.length - 1);
        this.draw();
    }

    get size() {
        return [this.canvas.clientWidth, this.canvas.clientHeight];
    }

    get top() {
        return this.tops[this.name];
    }

    /// X that are nearer than this are one: a curve has one value everywhere.
    get leastStep() {
        return (this.histogram.to - this.histogram.from) / 1000;
    }

    place([x, y], top = this.top) {
        const [width, height] = this.size, {from, to} = this.histogram;
        return [kMargin_px + ((x - from) / (to - from)) * (width - 2 * kMargin_px), height - kMargin_px - (y / top) * (height - 2 * kMargin_px)];
    }

    /// While a point is dragged, by where the canvas was when it was taken: what the preview changes above it moves no point.
    read(event) {
        const {bounds} = this, [width, height] = this.size, {from, to} = this.histogram;
        const share = Math.min(1, Math.max(0, (event.clientX - bounds.left - kMargin_px) / (width - 2 * kMargin_px)));
        const y = (height - kMargin_px - (event.clientY - bounds.top)) / (height - 2 * kMargin_px);
        return [from + share * (to - from), this.top * Math.min(1, Math.max(0, y))];
    }

    findNear(event) {
        const {bounds} = this;
        const distances = this.points.map((point) => {
            const [x, y] = this.place(point);
            return Math.hypot(event.clientX - bounds.left - x, event.clientY - bounds.top - y);
        });
        const nearest = distances.indexOf(Math.min(...distances));
        return distances[nearest] <= kReach_px ? nearest : -1;
    }

    press(event) {
        if (event.button !== 0) return;
        this.canvas.setPointerCapture(event.pointerId);
        this.bounds = this.canvas.getBoundingClientRect();
        this.chosen = this.findNear(event);
        this.isDragging = true;
        if (this.chosen < 0) this.insert(this.read(event));
        this.draw();
    }

    insert(point) {
        this.chosen = this.points.findIndex(([x]) => Math.abs(x - point[0]) <= this.leastStep);
        if (this.chosen >= 0) return this.moveTo(point);
        const next = this.points.findIndex(([x]) => x > point[0]);
        this.chosen = next < 0 ? this.points.length : next;
        this.points.splice(this.chosen, 0, point);
        this.tell();
    }

    drag(event) {
        if (this.isDragging) this.moveTo(this.read(event));
    }

    /// Between its neighbours. Where these leave no room, it keeps its X.
    moveTo([x, y]) {
        const least = this.chosen > 0 ? this.points[this.chosen - 1][0] + this.leastStep : -Infinity;
        const most = this.chosen < this.points.length - 1 ? this.points[this.chosen + 1][0] - this.leastStep : Infinity;
        const moved = least <= most ? Math.min(most, Math.max(least, x)) : this.points[this.chosen][0];
        this.points[this.chosen] = [moved, Math.min(this.top, Math.max(0, y))];
        this.draw();
        this.tell();
    }

    release() {
        if (!this.isDragging) return;
        this.isDragging = false;
        this.released();
    }

    remove() {
        if (this.chosen < 0 || this.points.length <= 2) return;
        this.points.splice(this.chosen, 1);
        this.chosen = -1;
        this.draw();
        this.tell();
    }

    tell() {
        this.isSet = true;
        this.changed(printCurve(this.points));
    }

    pressKey(event) {
        const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}, arrow = arrows[event.key];
        if (event.key === "Delete") this.remove();
        else if (!arrow) return;
        else if (event.shiftKey && this.chosen >= 0) this.nudge(arrow);
        else this.chosen = Math.min(this.points.length - 1, Math.max(0, this.chosen + arrow[0]));
        event.preventDefault();
        this.draw();
    }

    nudge([right, up]) {
        const [x, y] = this.points[this.chosen], {from, to} = this.histogram;
        this.moveTo([x + (right * (to - from)) / 100, y + (up * this.top) / 50]);
    }

    draw() {
        const ratio = window.devicePixelRatio || 1, [width, height] = this.size;
        if (width === 0) return;
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        const context = this.canvas.getContext("2d");
        context.scale(ratio, ratio);
        this.drawBars(context, width, height);
        this.drawLine(context, this.other, this.otherName, 0.35);
        this.drawLine(context, this.points, this.name, this.isSet ? 1 : 0.55);
        this.points.forEach((point, index) => this.drawPoint(context, point, index === this.chosen));
    }

    drawBars(context, width, height) {
        const {counts} = this.histogram, most = Math.log1p(Math.max(...counts, 1));
        const step = (width - 2 * kMargin_px) / counts.length, full = height - 2 * kMargin_px, floor = height - kMargin_px;
        context.fillStyle = "#565b63";
        context.beginPath();
        context.moveTo(kMargin_px, floor);
        counts.forEach((count, index) => {
            const top = floor - (full * Math.log1p(count)) / most;
            context.lineTo(kMargin_px + index * step, top);
            context.lineTo(kMargin_px + (index + 1) * step, top);
        });
        context.lineTo(width - kMargin_px, floor);
        context.fill();
    }

    /// Constant beyond the first and the last point.
    drawLine(context, points, name, opacity) {
        if (points.length === 0) return;
        const [width] = this.size, placed = points.map((point) => this.place(point, this.tops[name]));
        context.globalAlpha = opacity;
        context.strokeStyle = kColours[name];
        context.lineWidth = 2;
        context.beginPath();
        context.moveTo(0, placed[0][1]);
        placed.forEach(([x, y]) => context.lineTo(x, y));
        context.lineTo(width, placed.at(-1)[1]);
        context.stroke();
        context.globalAlpha = 1;
    }

    drawPoint(context, point, isChosen) {
        const [x, y] = this.place(point);
        context.beginPath();
        context.arc(x, y, isChosen ? 6.5 : 5, 0, 2 * Math.PI);
        context.fillStyle = isChosen ? "#fff" : kColours[this.name];
        context.fill();
        context.lineWidth = 1.5;
        context.strokeStyle = "#111";
        context.stroke();
    }
}
