// Mouse, pen, touch and keys on the picture. Tells a mover {orbit, pan, zoom, roll, end, pick, home} what is asked for.

const kEndAfter_ms = 180;   // wheel and keys have no end of their own
const kTap_px = 6;
const kDoubleTap_ms = 350;
const kKeyOrbit = Math.PI / 36;
const kKeyPan = 0.04;

export class PictureInput {
    constructor(canvas, view, mover) {
        this.canvas = canvas;
        this.view = view;
        this.mover = mover;
        this.patchTool = null; // takes the rectangle {x0, y0, x1, y1} instead of an orbit
        this.pointers = new Map();
        this.lastTap = null;
        canvas.addEventListener("pointerdown", (event) => this.press(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.release(event));
        canvas.addEventListener("pointercancel", (event) => this.release(event));
        canvas.addEventListener("mousedown", (event) => {
            if (event.button === 1) event.preventDefault(); // would scroll
        });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => this.turnWheel(event), {passive: false});
        canvas.addEventListener("keydown", (event) => this.pressKey(event));
    }

    press(event) {
        this.canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        if (this.pointers.size === 1) {
            this.start = {x: event.clientX, y: event.clientY};
            this.mode = this.chooseMode(event);
            this.hasMoved = false;
        } else {
            this.mode = "fingers";
            this.view.rubberBand = null;
            this.hasMoved = true;
        }
    }

    chooseMode(event) {
        if (event.button === 1 || event.button === 2 || event.shiftKey) return "pan";
        if (this.patchTool) return "patch";
        return event.ctrlKey ? "roll" : "orbit";
    }

    move(event) {
        const last = this.pointers.get(event.pointerId);
        if (!last) return;
        const next = {x: event.clientX, y: event.clientY};
        if (!this.hasMoved && Math.hypot(next.x - this.start.x, next.y - this.start.y) < kTap_px) return;
        this.hasMoved = true;
        if (this.mode === "fingers") this.moveFingers(event.pointerId, last, next);
        else if (this.mode === "patch") this.stretchPatch(next);
        else this.moveOne(last, next);
        this.pointers.set(event.pointerId, next);
    }

    moveOne(last, next) {
        const dx = next.x - last.x, dy = next.y - last.y, {w, h} = this.view.rectangle;
        if (this.mode === "orbit") {
            const angle = Math.PI / Math.min(w, h);
            this.mover.orbit(dx * angle, dy * angle, dx / w, dy / w);
        } else if (this.mode === "pan") {
            this.mover.pan(dx / w, dy / w);
        } else {
            this.mover.roll(this.findAngle(next) - this.findAngle(last));
        }
    }

    /// About the middle of the picture, clockwise.
    findAngle(point) {
        const [x, y] = this.view.toFilm(point.x, point.y);
        return Math.atan2((y - 0.5) / this.view.aspect, x - 0.5);
    }

    moveFingers(id, last, next) {
        const other = [...this.pointers].find(([key]) => key !== id)?.[1];
        if (!other) return;
        const before = [last.x - other.x, last.y - other.y], after = [next.x - other.x, next.y - other.y];
        const {w} = this.view.rectangle;
        const middle = this.view.toFilm((next.x + other.x) / 2, (next.y + other.y) / 2);
        this.mover.pan((next.x - last.x) / 2 / w, (next.y - last.y) / 2 / w);
        this.mover.zoom(Math.hypot(...after) / Math.max(1, Math.hypot(...before)), middle);
        const twist = Math.atan2(after[1], after[0]) - Math.atan2(before[1], before[0]);
        this.mover.roll(Math.atan2(Math.sin(twist), Math.cos(twist)));
    }

    stretchPatch(next) {
        const clamp = (value) => Math.min(1, Math.max(0, value));
        const [xa, ya] = this.view.toFilm(this.start.x, this.start.y).map(clamp);
        const [xb, yb] = this.view.toFilm(next.x, next.y).map(clamp);
        this.view.rubberBand = {
            x0: Math.min(xa, xb), y0: Math.min(ya, yb), x1: Math.max(xa, xb), y1: Math.max(ya, yb),
        };
        this.view.draw();
    }

    release(event) {
        if (!this.pointers.delete(event.pointerId)) return;
        if (this.pointers.size > 0) {
            this.mode = this.mode === "fingers" ? "orbit" : this.mode;
            return;
        }
        if (!this.hasMoved && event.type === "pointerup" && event.button === 0) this.tap(event);
        else this.endDrag();
    }

    endDrag() {
        this.lastTap = null;
        if (this.mode === "patch") this.endPatch();
        else if (this.hasMoved) this.mover.end();
    }

    endPatch() {
        const patch = this.view.rubberBand;
        this.view.rubberBand = null;
        this.view.draw();
        if (patch && patch.x1 > patch.x0 && patch.y1 > patch.y0) this.patchTool(patch);
    }

    tap(event) {
        const last = this.lastTap;
        this.lastTap = {x: event.clientX, y: event.clientY, time: event.timeStamp};
        const isDouble = last && event.timeStamp - last.time < kDoubleTap_ms &&
                         Math.hypot(event.clientX - last.x, event.clientY - last.y) < 4 * kTap_px;
        if (!isDouble || this.patchTool) return;
        this.lastTap = null;
        this.mover.pick(...this.view.toFilm(event.clientX, event.clientY));
    }

    turnWheel(event) {
        event.preventDefault();
        const line_px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
        const delta_px = Math.max(-300, Math.min(300, event.deltaY * line_px));
        this.mover.zoom(Math.exp(-delta_px * 0.0015), this.view.toFilm(event.clientX, event.clientY));
        this.endLater();
    }

    endLater() {
        this.lastTap = null;
        clearTimeout(this.ending);
        this.ending = setTimeout(() => this.mover.end(), kEndAfter_ms);
    }

    pressKey(event) {
        if (event.ctrlKey || event.altKey || event.metaKey) return;
        const move = this.findKeyMove(event);
        if (!move) return;
        event.preventDefault();
        if (move() !== "whole") this.endLater();
    }

    findKeyMove(event) {
        const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
        const {mover} = this, arrow = arrows[event.key];
        if (arrow && event.shiftKey) return () => mover.pan(arrow[0] * kKeyPan, arrow[1] * kKeyPan);
        if (arrow)
            return () => mover.orbit(arrow[0] * kKeyOrbit, arrow[1] * kKeyOrbit, arrow[0] * kKeyPan, arrow[1] * kKeyPan);
        const whole = (action) => () => {
            action();
            return "whole";
        };
        return {
            "+": () => mover.zoom(1.1, [0.5, 0.5]),
            "=": () => mover.zoom(1.1, [0.5, 0.5]),
            "-": () => mover.zoom(1 / 1.1, [0.5, 0.5]),
            "[": () => mover.roll(-kKeyOrbit),
            "]": () => mover.roll(kKeyOrbit),
            Home: whole(() => mover.home()),
            c: whole(() => mover.pick(0.5, 0.5)),
            p: whole(() => document.getElementById("view-pixels").click()),
            "?": whole(() => document.getElementById("view-help").click()),
        }[event.key];
    }
}
