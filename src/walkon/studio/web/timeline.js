// The bar at the bottom: play, step, speed, and the whole past to scrub through, with the marks of an audit.

import { byId, el, icon } from "./dom.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];
const SVG = "http://www.w3.org/2000/svg";

export class Timeline {
  constructor(app) {
    this.app = app;
    const { actions } = app;
    const button = (name, title, onclick) => el("button", { title, "aria-label": title, onclick }, icon(name));
    this.play = el("button", { className: "play", onclick: () => actions.togglePlay() });
    this.slider = el("input", {
      type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "time", id: "scrub",
      oninput: () => actions.seek(Number(this.slider.value)),
    });
    this.marks = document.createElementNS(SVG, "svg");
    this.marks.setAttribute("preserveAspectRatio", "none");
    this.speed = el("select", {
      title: "speed", "aria-label": "speed", onchange: () => actions.speed(Number(this.speed.value)),
    }, ...SPEEDS.map((value) => el("option", { value, textContent: `${value}×` })));
    this.live = el("button", {
      className: "live", textContent: "Live", title: "Back to now (L)", onclick: () => actions.goLive(),
    });
    this.time = el("span", { className: "time" });
    byId("timeline").append(
      this.play,
      button("back", "One frame back (←)", () => actions.step(-1)),
      button("step", "One frame on (.)", () => actions.step(1)),
      el("div", { className: "track" }, this.slider, this.marks),
      this.time, this.speed, this.live,
    );
    this.shownState = "";
  }

  /** Called for every picture; touches the page only where something has changed. */
  update() {
    const { clock } = this.app;
    const last = Math.max(1, Math.round(clock.last));
    const frame = Math.round(clock.shown);
    if (Number(this.slider.max) !== last) this.slider.max = last;
    if (Number(this.slider.value) !== frame) this.slider.value = frame;
    const seconds = (count) => {
      const whole = count / clock.fps;
      return `${Math.floor(whole / 60)}:${(whole % 60).toFixed(1).padStart(4, "0")}`;
    };
    const text = `${seconds(frame)} / ${seconds(last)}`;
    if (text !== this.text) {
      this.text = text;
      this.time.replaceChildren(el("b", { textContent: seconds(frame) }), ` / ${seconds(last)}`);
    }
    const state = `${clock.moving} ${clock.mode} ${clock.speed}`;
    if (state === this.shownState) return;
    this.shownState = state;
    this.play.replaceChildren(icon(clock.moving ? "pause" : "play"));
    this.play.title = clock.moving ? "Pause (Space)" : "Go on (Space)";
    this.play.setAttribute("aria-label", this.play.title);
    this.live.hidden = clock.mode === "take";
    this.live.setAttribute("aria-pressed", String(clock.mode === "live"));
    this.showSpeed(clock.speed);
    const note = byId("note");
    note.hidden = clock.mode !== "past";
    note.textContent = "You look at the past; the crowd waits. L brings you back.";
  }

  showSpeed(speed) {
    if (![...this.speed.options].some(({ value }) => Number(value) === speed)) {
      this.speed.append(el("option", { value: speed, textContent: `${speed}×` }));
    }
    this.speed.value = speed;
  }

  /** marks: [{frame_first, frame_last}] of a take of so many frames. */
  setMarks(marks, frames) {
    this.marks.setAttribute("viewBox", `0 0 ${Math.max(frames, 1)} 10`);
    this.marks.replaceChildren(...marks.map(({ frame_first: first, frame_last: last }) => {
      const rect = document.createElementNS(SVG, "rect");
      const width = Math.max(last - first + 1, frames / 400); // a single frame must be seen too
      const place = { x: first, y: 0.4, width, height: 2.2 };
      for (const [name, value] of Object.entries(place)) rect.setAttribute(name, value);
      return rect;
    }));
  }
}
