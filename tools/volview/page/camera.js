// A camera that is turned about a point. It carries its axes along as vectors, so nothing special happens at the poles:
// an orbit over a pole goes on, and the picture is then upside down.

const add = (a, b) => a.map((x, i) => x + b[i]);
const subtract = (a, b) => a.map((x, i) => x - b[i]);
const scaled = (a, s) => a.map((x) => x * s);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a) => Math.hypot(...a);
const unit = (a) => scaled(a, 1 / length(a));
const cross = (a, b) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];

/// Turns v about the unit vector `axis` (Rodrigues).
function turn(v, axis, angle) {
    const cosine = Math.cos(angle), sine = Math.sin(angle);
    return add(add(scaled(v, cosine), scaled(cross(axis, v), sine)), scaled(axis, dot(axis, v) * (1 - cosine)));
}

const kLeastSine = 1e-3; // nearer to a pole, the axis does not tell where up is

export class OrbitCamera {
    /// `camera` as in /scene.json; the axis of horizontal orbits stays if the new view is level in it.
    adopt(camera, boxSize_mm) {
        this.given = camera;
        this.origin = camera.origin;
        this.target = camera.target;
        this.fov_deg = camera.fov_deg;
        this.orthoWidth_mm = camera.ortho_width_mm;
        this.boxSize_mm = boxSize_mm;
        this.forward = unit(subtract(this.target, this.origin));
        this.right = unit(cross(this.forward, camera.up));
        this.up = cross(this.right, this.forward);
        if (!this.axis || Math.abs(dot(this.right, this.axis)) > 1e-5) this.axis = unit(camera.up);
    }

    get distance_mm() {
        return length(subtract(this.target, this.origin));
    }

    get sense() {
        return dot(this.up, this.axis) < 0 ? -1 : 1;
    }

    /// Width in mm of the picture at the target.
    get width_mm() {
        if (this.orthoWidth_mm !== undefined) return this.orthoWidth_mm;
        return 2 * this.distance_mm * Math.tan((this.fov_deg * Math.PI) / 360);
    }

    turnAxes(axis, angle) {
        this.forward = unit(turn(this.forward, axis, angle));
        this.right = unit(turn(this.right, axis, angle));
        this.up = cross(this.right, this.forward);
    }

    turnAbout(axis, angle) {
        const distance_mm = this.distance_mm;
        this.turnAxes(axis, angle);
        this.origin = subtract(this.target, scaled(this.forward, distance_mm));
    }

    /// What is seen follows the pointer: positive angles turn it to the right and down.
    orbit(rightwards, downwards) {
        this.turnAbout(this.axis, -rightwards * this.sense);
        this.turnAbout(this.right, -downwards);
    }

    /// Shares of the picture's width, to the right and down.
    pan(rightwards, downwards) {
        const move = add(scaled(this.right, -rightwards * this.width_mm), scaled(this.up, downwards * this.width_mm));
        this.origin = add(this.origin, move);
        this.target = add(this.target, move);
    }

    /// A factor above 1 enlarges.
    zoom(factor) {
        if (this.orthoWidth_mm !== undefined) {
            this.orthoWidth_mm = this.clampLength(this.orthoWidth_mm / factor);
            return;
        }
        const distance_mm = this.clampLength(this.distance_mm / factor);
        this.origin = subtract(this.target, scaled(this.forward, distance_mm));
    }

    clampLength(length_mm) {
        return Math.min(1e3 * this.boxSize_mm, Math.max(1e-4 * this.boxSize_mm, length_mm));
    }

    /// Positive angles turn the picture clockwise.
    roll(angle) {
        this.axis = turn(this.axis, this.forward, -angle);
        this.turnAxes(this.forward, -angle);
    }

    lookAt(point) {
        if (length(subtract(point, this.origin)) < 1e-6 * this.boxSize_mm) return;
        const up = scaled(this.axis, this.sense);
        this.target = point;
        this.forward = unit(subtract(point, this.origin));
        const right = cross(this.forward, up);
        this.right = unit(length(right) < kLeastSine ? this.right : right);
        this.up = cross(this.right, this.forward);
    }

    /// The same size at the target, seen with the other kind of camera.
    changeKind(kind, fov_deg) {
        const width_mm = this.width_mm;
        if (kind === "orthographic") {
            this.orthoWidth_mm = width_mm;
            this.fov_deg = undefined;
            return;
        }
        this.orthoWidth_mm = undefined;
        this.fov_deg = fov_deg;
        const distance_mm = width_mm / (2 * Math.tan((fov_deg * Math.PI) / 360));
        this.origin = subtract(this.target, scaled(this.forward, distance_mm));
    }

    /// Body of POST /camera. What has changed is in few digits: they end up in the copied command.
    toRequest(moving) {
        const step = 10 ** (Math.floor(Math.log10(this.distance_mm)) - 7);
        const round = (x) => Number((Math.round(x / step) * step).toPrecision(10)) + 0; // no -0
        const spell = (name) => (this[name] === this.given[name] ? this[name] : this[name].map(round));
        const isLevel = length(cross(this.forward, this.axis)) > kLeastSine;
        const up = isLevel ? scaled(this.axis, this.sense) : this.up;
        const body = {
            origin: spell("origin"),
            target: spell("target"),
            up: up.map((x) => Number(x.toFixed(7)) + 0),
            moving,
        };
        if (this.orthoWidth_mm !== undefined) body.ortho = Number(this.orthoWidth_mm.toPrecision(7));
        else body.fov = this.fov_deg;
        return body;
    }
}
