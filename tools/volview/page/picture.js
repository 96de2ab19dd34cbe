// The canvas: newest frame, letterboxed; the target beside it; patches.

const kPatchColour = "#ffd166";

export class PictureView {
    constructor(canvas, stage) {
        this.canvas = canvas;
        this.stage = stage;
        this.context = canvas.getContext("2d");
        this.frame = null;
        this.bitmap = null;
        this.aspect = 1;
        this.target = null; // picture of --target-picture
        this.split = null;  // share of the picture's width that shows the render
        this.patches = [];
        this.rubberBand = null;
        this.showsSquares = false;
        this.drawn = null; // told where the film lies, for what stands over it
        this.resetView();
        new ResizeObserver(() => this.fit()).observe(stage);
    }

    /// Enlargement and place of pictures that no camera moves.
    resetView() {
        this.enlargement = 1;
        this.centre = [0.5, 0.5];
    }

    fit() {
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.max(1, Math.round(this.stage.clientWidth * ratio));
        this.canvas.height = Math.max(1, Math.round(this.stage.clientHeight * ratio));
        this.draw();
    }

    show(frame, bitmap) {
        if (this.bitmap) this.bitmap.close();
        this.frame = frame;
        this.bitmap = bitmap;
        // A reduced picture's aspect ratio is rounded.
        const aspect = frame.width / frame.height;
        if (!frame.reduced || Math.abs(aspect / this.aspect - 1) > 0.03) this.aspect = aspect;
        this.draw();
    }

    /// Its size as --resolution takes it.
    describeStage() {
        return `${this.stage.clientWidth}x${this.stage.clientHeight}`;
    }

    /// Where the film lies, in CSS pixels of the canvas.
    get rectangle() {
        const width = this.stage.clientWidth, height = this.stage.clientHeight;
        const w = Math.min(width, height * this.aspect) * this.enlargement;
        const h = w / this.aspect;
        const x = width / 2 - this.centre[0] * w, y = height / 2 - this.centre[1] * h;
        return {x, y, w, h};
    }

    /// Point of the film, 0..1, y down; outside the film too.
    toFilm(clientX, clientY) {
        const bounds = this.canvas.getBoundingClientRect(), {x, y, w, h} = this.rectangle;
        return [(clientX - bounds.left - x) / w, (clientY - bounds.top - y) / h];
    }

    enlarge(factor, [x, y]) {
        const enlargement = Math.min(64, Math.max(1, this.enlargement * factor));
        const kept = this.enlargement / enlargement;
        this.enlargement = enlargement;
        this.centre = [x + (this.centre[0] - x) * kept, y + (this.centre[1] - y) * kept];
        this.shift(0, 0);
    }

    /// By shares of the picture's width.
    shift(rightwards, downwards) {
        const room = 0.5 - 0.5 / this.enlargement;
        const clamp = (value) => Math.min(0.5 + room, Math.max(0.5 - room, value));
        this.centre = [clamp(this.centre[0] - rightwards), clamp(this.centre[1] - downwards * this.aspect)];
        this.draw();
    }

    draw() {
        const {context, canvas} = this;
        const ratio = canvas.width / Math.max(1, this.stage.clientWidth);
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, this.stage.clientWidth, this.stage.clientHeight);
        if (!this.bitmap) return;
        const {x, y, w, h} = this.rectangle;
        const isCoarse = this.frame.reduced;
        context.imageSmoothingEnabled = isCoarse || !this.showsSquares;
        context.imageSmoothingQuality = isCoarse ? "medium" : "high";
        context.drawImage(this.bitmap, x, y, w, h);
        if (this.target && this.split !== null) this.drawTarget(x, y, w, h);
        this.drawn?.({x, y, w, h});
        this.patches.forEach((patch, index) => this.drawPatch(patch, String(index + 1)));
        if (this.rubberBand) this.drawPatch(this.rubberBand, "");
    }

    drawTarget(x, y, w, h) {
        const {context} = this, edge = x + this.split * w;
        context.save();
        context.beginPath();
        context.rect(edge, y, x + w - edge, h);
        context.clip();
        context.drawImage(this.target, x, y, w, h);
        context.restore();
        context.fillStyle = "#fff";
        context.fillRect(edge - 1, y, 2, h);
    }

    drawPatch({x0, y0, x1, y1}, name) {
        const {context} = this, {x, y, w, h} = this.rectangle;
        const box = [x + x0 * w, y + y0 * h, (x1 - x0) * w, (y1 - y0) * h];
        context.lineWidth = 4;
        context.strokeStyle = "#000a";
        context.strokeRect(...box);
        context.lineWidth = 2;
        context.strokeStyle = kPatchColour;
        context.strokeRect(...box);
        if (!name) return;
        context.font = "600 12px system-ui, sans-serif";
        context.fillStyle = "#000a";
        context.fillRect(box[0], box[1], 8 + context.measureText(name).width, 17);
        context.fillStyle = kPatchColour;
        context.fillText(name, box[0] + 4, box[1] + 13);
    }
}

/// Decodes one picture at a time; of those that come meanwhile, the newest.
export class FrameDecoder {
    constructor(show) {
        this.show = show;
        this.waiting = null;
        this.isBusy = false;
    }

    async take(frame) {
        this.waiting = frame;
        if (this.isBusy) return;
        this.isBusy = true;
        while (this.waiting) {
            const next = this.waiting;
            this.waiting = null;
            try {
                this.show(next, await createImageBitmap(decodeImage(next)));
            } catch (error) {
                console.error("a picture cannot be decoded", error);
            }
        }
        this.isBusy = false;
    }
}

function decodeImage(frame) {
    const bytes = Uint8Array.from(atob(frame.image), (character) => character.charCodeAt(0));
    return new Blob([bytes], {type: frame.type});
}
