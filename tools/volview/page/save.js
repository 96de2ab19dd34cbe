// Films to disk, and the command that makes them.
import {post, request} from "/net.js";

const $ = (id) => document.getElementById(id);

/// False where the browser gives no clipboard: pages from other addresses than localhost have none.
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

export class SavePanel {
    constructor(session) {
        this.session = session;
        this.buttons = [...document.querySelectorAll("[data-kind]")];
        for (const button of this.buttons) button.addEventListener("click", () => this.save(button.dataset.kind));
        $("copy-command").addEventListener("click", () => this.copyCommand());
        session.onScene((scene) => this.update(scene));
    }

    update(scene) {
        const isPreview = Boolean(scene.preview);
        for (const button of this.buttons) button.disabled = isPreview;
        const place = scene.can_save ? "Saved on the server, under --out." : "Downloaded by the browser.";
        const kind = scene.display.denoise === "on" ? " .exr and .png are denoised, the film is not." : "";
        const note = isPreview ? "Save is off while a preview is shown." : place + kind;
        if (note !== this.standing) this.tell((this.standing = note));
    }

    tell(sentence) {
        $("save-note").textContent = sentence;
    }

    async save(kind) {
        if (!this.session.scene?.can_save) return this.download(kind);
        this.tell(`Saving .${kind} …`);
        try {
            const {file} = await post("/save", {kind});
            this.tell(`Saved on the server: ${file}`);
        } catch (error) {
            this.tell(error.message);
        }
    }

    /// Errors come as a sentence, not as a file with the sentence in it.
    async download(kind) {
        this.tell(`Fetching film.${kind} …`);
        try {
            const answer = await fetch(`/film.${kind}`);
            if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error || `Status ${answer.status}.`);
            const named = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "");
            const name = named ? named[1] : `${$("title").textContent.replace(/\.vpk$/, "")}.${kind}`;
            const link = document.createElement("a");
            link.href = URL.createObjectURL(await answer.blob());
            link.download = name;
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 60000);
            this.tell(`Downloaded: ${name}`);
        } catch (error) {
            this.tell(error.message);
        }
    }

    async copyCommand() {
        try {
            const {lines} = await request("/command.json");
            const box = $("command-text");
            box.value = lines.join("\n");
            box.hidden = false;
            const isCopied = await copyText(box.value);
            if (!isCopied) {
                box.focus();
                box.select();
            }
            this.tell(isCopied ? "The command is in the clipboard." : "Copy the text below: the browser gives no clipboard here.");
        } catch (error) {
            this.tell(error.message);
        }
    }
}
