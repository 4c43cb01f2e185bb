// Put one thing down with a click: a box, a cylinder, or something to pass over or under.

import { rounded } from "./select.js";

const size = (key, label, min, max) => ({ key, label, kind: "number", min, max, step: 0.05, unit: "m" });
const TURN = { key: "heading", label: "turned", kind: "number", min: -180, max: 180, step: 5, unit: "°" };

const WAYS = { step_over: "step over", jump_over: "jump over", duck_under: "duck under", crawl_under: "crawl under" };
// What the built-in cast can pass; a beam hangs at `lift` above the ground.
const FITTING = {
  step_over: { width: 3, height: 0.22, depth: 0.12, lift: 0 },
  jump_over: { width: 3, height: 0.45, depth: 0.2, lift: 0 },
  duck_under: { width: 3, height: 0.3, depth: 0.2, lift: 1.4 },
  crawl_under: { width: 3, height: 0.3, depth: 0.3, lift: 0.8 },
};

class PlaceTool {
  cursor = "crosshair";

  constructor(app) {
    this.app = app;
  }

  rotation() {
    return (this.values.heading * Math.PI) / 180;
  }

  move({ ground }) {
    if (!ground) return;
    this.last = ground;
    this.app.preview.showShape(this.shape(), ground.x, ground.y + this.lift(), ground.z, this.rotation());
  }

  changed() {
    if (this.last) this.move({ ground: this.last });
  }

  lift() {
    return 0;
  }

  down({ ground }) {
    return Boolean(ground);
  }

  up({ ground }, press) {
    if (!ground || press.moved) return;
    const { x, z } = rounded({ x: ground.x, z: ground.z });
    const half = 0.5 * this.rotation();
    const obstacle = {
      name: this.app.freshName(this.name),
      shape: this.shape(),
      position: [x, Math.round(1000 * (ground.y + this.lift())) / 1000, z],
      rotation: [Math.cos(half), 0, Math.sin(half), 0],
      passes: this.passes(),
    };
    this.app.edits.send("add_obstacle", { obstacle }).then((reply) => {
      if (reply) this.app.selection.pick({ obstacles: [obstacle.name] });
    });
  }

  passes() {
    return [];
  }

  /** The heading, in steps of 15°; for the key R. */
  turn(steps) {
    this.values.heading = ((this.values.heading + 15 * steps + 540) % 360) - 180;
    this.changed();
    return true;
  }

  cancel() {
    this.app.preview.clear();
    this.last = null;
    return false;
  }
}

export class BoxTool extends PlaceTool {
  name = "box";
  label = "Box";
  title = "Add a box";
  key = "b";
  separated = true;
  hint = "Click to put a box down.";
  values = { width: 2, depth: 1, height: 1.2, heading: 0 };
  settings = [size("width", "wide", 0.1, 50), size("depth", "deep", 0.1, 50), size("height", "high", 0.05, 20), TURN];

  shape() {
    const { width, height, depth } = this.values;
    return { kind: "box", width, height, depth };
  }
}

export class CylinderTool extends PlaceTool {
  name = "cylinder";
  label = "Cylinder";
  title = "Add a cylinder";
  key = "c";
  hint = "Click to put a cylinder down.";
  values = { radius: 0.5, height: 3, heading: 0 };
  settings = [size("radius", "radius", 0.05, 25), size("height", "high", 0.05, 20)];

  shape() {
    return { kind: "cylinder", radius: this.values.radius, height: this.values.height };
  }
}

export class SpecialTool extends PlaceTool {
  name = "special";
  label = "Special";
  title = "Add something to step or jump over, duck or crawl under";
  key = "s";
  hint = "Click to put down something to pass by";
  values = { ways: ["step_over"], width: 3, heading: 0 };
  settings = [{ key: "ways", kind: "ways", choices: WAYS }, size("width", "wide", 0.3, 20), TURN];

  fitting() {
    return FITTING[this.values.ways[0]];
  }

  shape() {
    const { height, depth } = this.fitting();
    return { kind: "box", width: this.values.width, height, depth };
  }

  lift() {
    return this.fitting().lift;
  }

  passes() {
    return this.values.ways;
  }
}
