// The bar at the top: title, state of the connection, planner, how bodies are seen, undo, files, help.

import { byId, el } from "./dom.js";

const WORDS = {
  connecting: "connecting", open: "connected", lost: "connection lost, trying again", refused: "not let in",
};

export class Header {
  constructor(app) {
    const { actions } = app;
    this.planner = el("select", { "aria-label": "planner", onchange: () => actions.planner(this.planner.value) });
    this.bodies = el("select", { "aria-label": "bodies", onchange: () => actions.bodies(this.bodies.value) });
    const button = (textContent, title, onclick, more = {}) => el("button", { textContent, title, onclick, ...more });
    this.undo = button("Undo", "Undo (Ctrl Z)", () => actions.undo(), { id: "undo", disabled: true });
    this.redo = button("Redo", "Redo (Ctrl Shift Z)", () => actions.redo(), { id: "redo", disabled: true });
    this.plannerLabel = el("label", {}, "planner", this.planner);
    this.bodiesLabel = el("label", {}, "bodies", this.bodies);
    byId("actions").append(
      this.plannerLabel, this.bodiesLabel, el("span", { className: "gap" }), this.undo, this.redo, el("span", { className: "gap" }),
      button("Open", "Open a scene or a take (Ctrl O)", () => app.files.open()),
      button("Save", "Save (Ctrl S)", () => app.files.save()),
      button("?", "Keyboard shortcuts (?)", () => app.help(), { "aria-label": "Keyboard shortcuts" }),
    );
    app.net.on("state", ({ state, reason }) => {
      const box = byId("connection");
      box.dataset.state = state;
      box.textContent = reason ? `${WORDS[state]}: ${reason}` : WORDS[state];
    });
  }

  greet({ title, planner, planners, levels, readonly }) {
    byId("title").textContent = readonly ? `${title} (take)` : title;
    document.title = `${title} · walkon studio`;
    this.planner.replaceChildren(...(planners ?? []).map((name) => el("option", { value: name, textContent: name })));
    this.planner.value = planner;
    this.plannerLabel.hidden = this.bodiesLabel.hidden = readonly || !planners?.length;
    this.bodies.replaceChildren(...Object.entries(levels ?? {}).map(
      ([value, title]) => el("option", { value, textContent: value, title }),
    ));
    this.levels = levels ?? {};
    document.body.classList.toggle("readonly", Boolean(readonly));
  }

  setPlanner(name) {
    this.planner.value = name;
  }

  /** What the scene says; also where a change was refused. */
  setBodies(level) {
    this.bodies.value = level;
    this.bodiesLabel.title = `Planners see bodies as ${this.levels[level] ?? level}.`;
  }

  canUndo(undo, redo) {
    this.undo.disabled = !undo;
    this.redo.disabled = !redo;
  }
}
