// The page of volview: connects server, picture, input and panels.
import {OrbitCamera} from "/camera.js";
import {PictureInput} from "/input.js";
import {EventStream, NewestWins, post, request} from "/net.js";
import {makeBoundaryPanel, makeCameraPanel, makeDisplayPanel, makeGroundPanel, makeLightPanel, makeMediumPanel} from "/panels.js";
import {FrameDecoder, PictureView} from "/picture.js";
import {ProbePanel} from "/probe.js";
import {SavePanel, copyText} from "/save.js";
import {SlicesPanel} from "/slices.js";
import {StatisticsPanel} from "/statistics.js";
import {TransferPanel} from "/transfer.js";

const $ = (id) => document.getElementById(id);
const kNarrow = window.matchMedia("(max-width: 760px)");
const kNote_ms = 6000;

/// What the panels know of the server: the newest scene, and ways to change it.
class Session {
    constructor() {
        this.scene = null;
        this.listeners = [];
        this.camera = new NewestWins("/camera");
        const merge = (older, newer) => ({...newer, set: {...older.set, ...newer.set}});
        this.options = new NewestWins("/options", merge);
        this.display = new NewestWins("/display", (older, newer) => ({...older, ...newer}));
        this.statusParts = {note: "", connection: ""};
    }

    onScene(listener) {
        this.listeners.push(listener);
        if (this.scene) listener(this.scene);
    }

    takeScene(scene) {
        this.scene = scene;
        this.listeners.forEach((listener) => listener(scene));
    }

    async setOptions(set, moving) {
        return this.options.send({set, moving});
    }

    async setDisplay(settings) {
        return this.display.send(settings);
    }

    /// A sentence over the picture that goes away.
    tell(sentence) {
        this.putStatus("note", sentence);
        clearTimeout(this.forgetting);
        this.forgetting = setTimeout(() => this.putStatus("note", ""), kNote_ms);
    }

    putStatus(part, sentence) {
        this.statusParts[part] = sentence;
        const text = this.statusParts.connection || this.statusParts.note;
        $("status").textContent = text;
        $("status").hidden = !text;
    }

    async copy(text, button) {
        const isCopied = await copyText(text);
        if (!isCopied) return this.tell(text);
        flash(button, "Copied");
    }
}

function flash(button, text) {
    button.dataset.name ??= button.textContent;
    button.textContent = text;
    clearTimeout(button.flashing);
    button.flashing = setTimeout(() => {
        button.textContent = button.dataset.name;
    }, 1500);
}

/// Turns what the input asks for into cameras. The view here runs ahead of the server's while it moves.
class Mover {
    constructor(session, view) {
        this.session = session;
        this.view = view;
        this.camera = new OrbitCamera();
        this.first = null;
        this.isMoving = false;
        this.sentChange = 0;
        session.onScene((scene) => this.adopt(scene));
    }

    get canMove() {
        return this.session.scene?.can_move;
    }

    adopt(scene) {
        const isOlder = scene.change < this.sentChange; // than what was sent from here
        if (!scene.can_move || this.isMoving || isOlder || !this.session.camera.isIdle) return;
        this.camera.adopt(scene.camera, Math.hypot(...scene.box.size));
        this.first ??= scene.camera;
    }

    send(moving) {
        this.isMoving = moving;
        this.post(moving).catch((error) => this.refuse(error));
    }

    async post(moving) {
        const {change} = await this.session.camera.send(this.camera.toRequest(moving));
        this.sentChange = Math.max(this.sentChange, change);
        this.adopt(this.session.scene); // what another viewer did meanwhile
    }

    refuse(error) {
        this.isMoving = false;
        this.session.tell(error.message);
        this.camera.adopt(this.session.scene.camera, Math.hypot(...this.session.scene.box.size));
    }

    orbit(rightwards, downwards, shareRight, shareDown) {
        if (!this.canMove) return this.view.shift(shareRight, shareDown);
        this.camera.orbit(rightwards, downwards);
        this.send(true);
    }

    pan(rightwards, downwards) {
        if (!this.canMove) return this.view.shift(rightwards, downwards);
        this.camera.pan(rightwards, downwards);
        this.send(true);
    }

    zoom(factor, at) {
        if (!this.canMove) return this.view.enlarge(factor, at);
        this.camera.zoom(factor);
        this.send(true);
    }

    roll(angle) {
        if (!this.canMove) return;
        this.camera.roll(angle);
        this.send(true);
    }

    end() {
        if (this.isMoving) this.send(false);
    }

    home() {
        if (!this.canMove) {
            this.view.resetView();
            return this.view.draw();
        }
        this.camera.axis = null;
        this.camera.adopt(this.first, Math.hypot(...this.session.scene.box.size));
        this.send(false);
    }

    async pick(x, y) {
        if (!this.canMove || x < 0 || x > 1 || y < 0 || y > 1) return;
        try {
            const {point} = await post("/pick", {x, y});
            if (!point) return this.session.tell("Nothing is hit there.");
            this.camera.lookAt(point);
            this.send(false);
        } catch (error) {
            this.session.tell(error.message);
        }
    }

    showFrom(from) {
        const set = {from, origin: null, target: null, up: null};
        this.session.setOptions(set, false).catch((error) => this.session.tell(error.message));
    }

    async changeKind(kind) {
        const lens = this.session.scene.options.lens;
        if (kind === "orthographic" && lens !== undefined) await this.session.setOptions({lens: null}, false);
        this.camera.changeKind(kind, 30);
        await this.post(false);
    }
}

function showPanels(isShown) {
    document.body.classList.toggle("without-panels", !isShown);
    $("view-panels").setAttribute("aria-expanded", String(isShown));
}

function connectToolbar(mover, view) {
    $("view-home").addEventListener("click", () => mover.home());
    $("view-pixels").addEventListener("click", () => {
        view.showsSquares = !view.showsSquares;
        $("view-pixels").setAttribute("aria-pressed", String(view.showsSquares));
        view.draw();
    });
    $("view-help").addEventListener("click", () => $("help").showModal());
    $("view-panels").addEventListener("click", () => showPanels(document.body.classList.contains("without-panels")));
    kNarrow.addEventListener("change", () => showPanels(!kNarrow.matches));
    showPanels(!kNarrow.matches);
    $("panel-statistics").open = !kNarrow.matches; // the line over the picture has the most of it
}

/// For scripts that drive the page.
function noteProgress(change, samples, picture) {
    const {dataset} = document.documentElement;
    dataset.change = String(change);
    dataset.samples = String(samples);
    if (picture !== undefined) dataset.picture = String(picture);
}

function connectEvents(session, view) {
    const statistics = new StatisticsPanel();
    const decoder = new FrameDecoder((frame, bitmap) => {
        view.show(frame, bitmap);
        statistics.noteFrame(frame);
        noteProgress(frame.change, frame.samples, frame.picture);
    });
    return new EventStream("/events", {
        frame: (frame) => decoder.take(frame),
        stats: (stats) => statistics.show(stats),
        scene: (scene) => session.takeScene(scene),
    }, (sentence) => session.putStatus("connection", sentence));
}

async function start() {
    const session = new Session();
    const view = new PictureView($("picture"), $("stage"));
    const mover = new Mover(session, view);
    const input = new PictureInput($("picture"), view, mover);
    connectToolbar(mover, view);
    makeDisplayPanel(session);
    makeLightPanel(session);
    makeBoundaryPanel(session);
    makeMediumPanel(session);
    makeCameraPanel(session, mover);
    makeGroundPanel(session);
    new SavePanel(session);
    new ProbePanel(session, view, input);
    session.onScene((scene) => {
        $("preview-banner").hidden = !scene.preview;
    });
    connectEvents(session, view);
    try {
        session.takeScene(await request("/scene.json"));
        describeVolume(session, await request("/volume.json"));
    } catch (error) {
        session.tell(error.message);
    }
}

function describeVolume(session, volume) {
    const file = volume.file.split("/").at(-1);
    document.title = `${file} – volview`;
    $("title").textContent = file;
    new TransferPanel(session, volume);
    new SlicesPanel(session, volume);
    $("panel-transfer").hidden = $("panel-slices").hidden = false;
}

start();
