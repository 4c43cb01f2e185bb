// The panel on the right: figures, what is selected, what is laid over the scene.

import { byId, el } from "./dom.js";
import { shirtOf } from "./outfits.js";
import { shapeWords } from "./shapes.js";

const SHARES = "half of them within the first time, 95 % within the second, 99 % within the third";

export class Panel {
  constructor(app) {
    this.app = app;
    this.figures = el("div");
    this.selected = el("div");
    this.overlays = el("div", { className: "overlays" });
    this.overlaysTitle = el("h2", { textContent: "Show" });
    byId("panel").append(
      el("h2", { textContent: "Now" }), this.figures,
      this.overlaysTitle, this.overlays,
      el("h2", { textContent: "Selected" }), this.selected,
    );
    this.showFigures({});
    this.showOverlays();
    this.showSelection();
    app.selection.onChange(() => this.showSelection());
    app.overlays.onChange(() => this.showOverlays());
    // What a selected person does changes by itself.
    setInterval(() => this.refresh(), 500);
  }

  /** Of a finished take there is less to tell. */
  showTake({ frames, marks, audited }) {
    const { crowd, clock } = this.app;
    const found = audited === false ? "…" : whole(marks.length);
    this.figures.replaceChildren(el("div", { className: "big" },
      big(whole(crowd.people.size), "people"),
      big(found, "audit marks", marks.length ? "bad" : "zero"),
      big(`${(frames / clock.fps).toFixed(1)} s`, "long")),
    el("dl", { className: "rows" },
      el("dt", { textContent: "planned with bodies as" }), el("dd", { textContent: this.app.scene?.bodies ?? "–" })));
  }

  showFigures(f) {
    const collisions = f.collisions ?? 0;
    const row = (words, value, bad, title) => [
      el("dt", { textContent: words, title }), el("dd", { textContent: value, className: bad ? "bad" : "", title }),
    ];
    this.figures.replaceChildren(
      el("div", { className: "big" },
        big(whole(f.people ?? this.app.crowd.size), "people"),
        big(whole(collisions), "collisions", collisions ? "bad" : "zero"),
        big(this.app.clock.running && f.realtime ? `${round(f.realtime)}×` : "–", "real time")),
      el("dl", { className: "rows" },
        ...row("replans a second", whole(f.replans_per_second)),
        ...row("planning [ms]", percentiles(f.plan_ms), false, SHARES),
        ...row("edit to motion [ms]", percentiles(f.latency_ms), false, SHARES),
        ...row("waiting", f.waiting === undefined ? "–"
          : f.waiting ? `${f.waiting}, up to ${f.longest_wait.toFixed(1)} s` : "nobody", f.longest_wait > 20),
        ...row("dropped onto", whole(f.dropped), f.dropped > 0),
        ...row("stops", whole(f.stops)),
        ...row("over the wire", kilobytes(f.bytes_per_second))),
    );
  }

  showOverlays() {
    const { overlays } = this.app;
    this.overlays.hidden = this.overlaysTitle.hidden = overlays.offered.size === 0;
    this.overlays.replaceChildren(...overlays.kinds.map((kind, i) => el("button", {
      "aria-pressed": String(overlays.on.has(kind)), data: { overlay: kind },
      disabled: !overlays.offered.has(kind), onclick: () => overlays.toggle(kind),
    }, overlays.words[kind], el("kbd", { textContent: i + 1 }))));
  }

  showSelection() {
    const { selection } = this.app;
    if (selection.isEmpty) {
      this.selected.replaceChildren(quiet("Nothing. Click a person or an obstacle, or Shift and drag a box."));
      return;
    }
    const parts = [];
    if (selection.people.size === 1) parts.push(this.onePerson([...selection.people][0]));
    else if (selection.people.size) parts.push(quiet(`${selection.people.size} people`));
    if (selection.obstacles.size === 1) parts.push(this.oneObstacle([...selection.obstacles][0]));
    else if (selection.obstacles.size) parts.push(quiet(`${selection.obstacles.size} obstacles`));
    this.selected.replaceChildren(...parts, this.deeds());
  }

  onePerson(who) {
    const { crowd } = this.app;
    const person = crowd.people.get(who);
    const dot = el("span", { className: "swatch" });
    dot.style.background = shirtOf(who);
    this.doing = el("dd");
    this.goal = el("dd");
    this.distance = el("dd");
    const list = el("dl", { className: "rows" },
      el("dt", {}, dot, person?.name ?? `person ${who}`), el("dd", { textContent: `no. ${who}` }),
      el("dt", { textContent: "does" }), this.doing,
      el("dt", { textContent: "goal" }), this.goal, el("dt", { textContent: "still to go" }), this.distance);
    if (person?.group) {
      const button = el("button", {
        textContent: person.group, title: "Select the whole group",
        onclick: () => this.app.actions.selectGroup(person.group),
      });
      list.append(el("dt", { textContent: "group" }), el("dd", {}, button));
    }
    this.refresh();
    return list;
  }

  oneObstacle(name) {
    const data = this.app.scene?.obstacles.find((obstacle) => obstacle.name === name);
    if (!data) return quiet(name);
    const rows = [el("dt", { textContent: name }), el("dd", { textContent: data.track ? "moves" : "" })];
    if (data.passes?.length) {
      const ways = data.passes.join(", ").replaceAll("_", " ");
      rows.push(el("dt", { textContent: "to pass" }), el("dd", { textContent: ways }));
    }
    return el("div", {}, el("dl", { className: "rows" }, ...rows), quiet(shapeWords(data.shape)));
  }

  deeds() {
    const { actions, selection, toolbox } = this.app;
    const look = el("button", { textContent: "Look", onclick: () => actions.lookAtSelection() });
    if (this.app.readonly) return el("div", { className: "chips" }, look);
    const chips = [];
    if (selection.people.size) {
      chips.push(
        el("button", { textContent: "New goal", onclick: () => toolbox.choose("goal") }),
        el("button", { textContent: "Stop", onclick: () => actions.stop() }),
      );
    }
    if (selection.obstacles.size) chips.push(el("button", { textContent: "Turn", onclick: () => actions.turn(1) }));
    chips.push(look, el("button", { className: "danger", textContent: "Delete", onclick: () => actions.remove() }));
    return el("div", { className: "chips" }, ...chips);
  }

  refresh() {
    const { selection, crowd, clock } = this.app;
    if (selection.people.size !== 1 || !this.doing) return;
    const [who] = selection.people;
    this.doing.textContent = crowd.doing(who, clock.shown).replaceAll("_", " ") || "–";
    const goal = crowd.people.get(who)?.goal;
    const place = crowd.placeOf(who);
    this.goal.textContent = goal ? `${goal[0].toFixed(1)}, ${goal[1].toFixed(1)}` : "none";
    const left = goal && place ? Math.hypot(goal[0] - place.x, goal[1] - place.z) : NaN;
    this.distance.textContent = Number.isNaN(left) ? "–" : `${left.toFixed(1)} m`;
  }
}

function big(value, words, kind = "") {
  return el("div", { className: kind }, el("b", { textContent: value }), el("span", { textContent: words }));
}

function quiet(textContent) {
  return el("p", { className: "quiet", textContent });
}

function kilobytes(bytes) {
  return bytes === undefined ? "–" : `${(bytes / 1024).toFixed(1)} KB/s`;
}

function whole(value) {
  return value === undefined || value === null ? "–" : Math.round(value).toLocaleString("en");
}

function round(value) {
  return value >= 10 ? Math.round(value) : value.toFixed(1);
}

function percentiles(values) {
  if (!values || values.p50 === null || values.p50 === undefined) return "–";
  const show = (value) => {
    if (value >= 1000) return `${(value / 1000).toFixed(1)}k`;
    return value >= 10 ? Math.round(value) : value.toFixed(2);
  };
  return `${show(values.p50)} / ${show(values.p95)} / ${show(values.p99)}`;
}
