// Requests to the server and the stream of its events.

/// The server's sentence is the message of the error.
export async function request(path, options) {
    let answer;
    try {
        answer = await fetch(path, options);
    } catch {
        throw new Error("The server does not answer.");
    }
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.error || `The server refused this (status ${answer.status}).`);
    return body;
}

export function post(path, body) {
    return request(path, {
        method: "POST",
        headers: {"Content-Type": "application/json"},
        body: JSON.stringify(body),
    });
}

/// At most one POST in flight; what comes meanwhile is merged into one, which is sent next.
export class NewestWins {
    constructor(path, merge = (older, newer) => newer) {
        this.path = path;
        this.merge = merge;
        this.waiting = null;
        this.isBusy = false;
    }

    get isIdle() {
        return !this.isBusy && !this.waiting;
    }

    /// The answer to this body, or to the newer one that took its place.
    send(body) {
        return new Promise((resolve, reject) => {
            const callers = this.waiting ? this.waiting.callers : [];
            callers.push({resolve, reject});
            this.waiting = {body: this.waiting ? this.merge(this.waiting.body, body) : body, callers};
            if (!this.isBusy) this.sendWaiting();
        });
    }

    async sendWaiting() {
        this.isBusy = true;
        while (this.waiting) {
            const {body, callers} = this.waiting;
            this.waiting = null;
            try {
                const answer = await post(this.path, body);
                callers.forEach((caller) => caller.resolve(answer));
            } catch (error) {
                callers.forEach((caller) => caller.reject(error));
            }
        }
        this.isBusy = false;
    }
}

const kSilence_ms = 8000; // statistics come several times per second
const kHidden_ms = 10000;
const kLongestPause_ms = 5000;

/// Server-sent events. Opens the stream again when it is cut or silent, and closes it while the page is hidden: the
/// server has few places for viewers.
export class EventStream {
    constructor(path, handlers, tell) {
        this.path = path;
        this.handlers = handlers;
        this.tell = tell;
        this.failures = 0;
        this.open();
        document.addEventListener("visibilitychange", () => this.followVisibility());
    }

    open() {
        clearTimeout(this.retry);
        this.source = new EventSource(this.path);
        for (const [name, handle] of Object.entries(this.handlers))
            this.source.addEventListener(name, (event) => {
                this.noteLife();
                handle(JSON.parse(event.data));
            });
        this.source.onerror = () => this.reopenLater();
        this.watchSilence();
    }

    close() {
        clearTimeout(this.retry);
        clearTimeout(this.silence);
        this.source.onerror = null;
        this.source.close();
    }

    noteLife() {
        if (this.failures > 0) this.tell("");
        this.failures = 0;
        this.watchSilence();
    }

    watchSilence() {
        clearTimeout(this.silence);
        this.silence = setTimeout(() => this.reopenLater(), kSilence_ms);
    }

    async reopenLater() {
        this.close();
        const pause_ms = Math.min(kLongestPause_ms, 500 * 2 ** this.failures++);
        this.retry = setTimeout(() => this.open(), pause_ms);
        const reason = await this.findReason();
        if (this.failures > 0) this.tell(reason);
    }

    /// An EventSource does not tell why it failed.
    async findReason() {
        const status = await fetch("/stats.json").then((answer) => answer.status, () => 0);
        if (status === 403) return "The server does not know this browser: open the address that volview printed.";
        if (status === 200) return "The stream of pictures is cut or has no place for another viewer. Trying again.";
        return "Connection lost. Trying again.";
    }

    followVisibility() {
        clearTimeout(this.hiding);
        if (document.hidden) {
            this.hiding = setTimeout(() => {
                this.close();
                this.isPaused = true;
            }, kHidden_ms);
        } else if (this.isPaused) {
            this.isPaused = false;
            this.open();
        }
    }
}
