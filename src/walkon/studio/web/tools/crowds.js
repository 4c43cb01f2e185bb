// Tools about people: add some, send the selected ones somewhere, let a flow run from one place to another.

import { toast } from "../dom.js";
import { rounded } from "./select.js";

export class PeopleTool {
  name = "people";
  label = "People";
  title = "Add people";
  key = "p";
  separated = true;
  cursor = "crosshair";
  hint = "Click where people should appear.";
  values = { count: 10, radius: 3 };
  settings = [
    { key: "count", label: "how many", kind: "number", min: 1, max: 2000, step: 1 },
    { key: "radius", label: "within", kind: "number", min: 0, max: 100, step: 0.5, unit: "m" },
  ];

  constructor(app) {
    this.app = app;
  }

  move({ ground }) {
    if (!ground) return;
    const circle = Array.from({ length: 49 }, (_, i) => {
      const turn = (i / 48) * 2 * Math.PI;
      const radius = Math.max(this.values.radius, 0.3);
      return [ground.x + radius * Math.cos(turn), ground.z + radius * Math.sin(turn)];
    });
    this.app.preview.showLine(circle, (x, z) => this.app.ground.at(x, z));
  }

  down({ ground }) {
    return Boolean(ground);
  }

  up({ ground }, press) {
    if (!ground || press.moved) return;
    const at = rounded({ x: ground.x, z: ground.z });
    this.app.edits.send("add_people", { count: this.values.count, radius: this.values.radius, ...at });
  }

  cancel() {
    this.app.preview.clear();
    return false;
  }
}

export class GoalTool {
  name = "goal";
  label = "Goal";
  title = "Give the selected people a new goal";
  key = "g";
  cursor = "crosshair";
  hint = "Click where the selected people should go (or right-click at any time).";
  values = { spread: 2 };
  settings = [{ key: "spread", label: "spread over", kind: "number", min: 0, max: 50, step: 0.5, unit: "m" }];

  constructor(app) {
    this.app = app;
  }

  begin() {
    if (!this.app.selection.people.size) toast("Select people first: click one, or Shift and drag a box.");
  }

  down({ ground }) {
    return Boolean(ground);
  }

  up({ ground }, press) {
    if (press.moved) return;
    this.app.actions.giveGoal(ground, this.values.spread);
    this.app.toolbox.choose("select");
  }
}

export class FlowTool {
  name = "flow";
  label = "Flow";
  title = "Draw a flow: people appear in one rectangle and walk to another";
  key = "f";
  cursor = "crosshair";
  hint = "Drag a rectangle where people appear, then one where they go.";
  values = { count: 30, over: 30 };
  settings = [
    { key: "count", label: "people", kind: "number", min: 1, max: 2000, step: 1 },
    { key: "over", label: "over", kind: "number", min: 0, max: 3600, step: 5, unit: "s" },
  ];

  constructor(app) {
    this.app = app;
    this.fields = [];
  }

  down({ ground }) {
    if (!ground) return false;
    this.corner = ground;
    return true;
  }

  field(ground) {
    const { corner } = this;
    const [x0, x1] = [corner.x, ground.x].sort((a, b) => a - b);
    const [z0, z1] = [corner.z, ground.z].sort((a, b) => a - b);
    return [x0, z0, x1, z1].map((value) => Math.round(100 * value) / 100);
  }

  move({ ground }, press) {
    if (!ground || !press || !this.corner) return;
    this.app.preview.showField(this.fields.length, this.field(ground));
  }

  async up({ ground }) {
    const corner = this.corner;
    if (!ground || !corner) return;
    const field = this.field(ground);
    this.corner = null;
    if (Math.min(field[2] - field[0], field[3] - field[1]) < 0.5) {
      toast("A flow needs rectangles of at least half a metre: press, and drag.");
      return;
    }
    this.fields.push(field);
    if (this.fields.length < 2) return;
    const [from, to] = this.fields;
    this.fields = [];
    const { count, over } = this.values;
    const reply = await this.app.edits.send("add_flow", { from, to, count, over });
    this.app.preview.clear();
    if (reply) toast(`${count} people will walk over the next ${over} s.`);
  }

  cancel() {
    const busy = this.fields.length > 0;
    this.fields = [];
    this.corner = null;
    this.app.preview.clear();
    return busy;
  }
}
