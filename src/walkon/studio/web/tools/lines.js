// Drawn by hand: walls, and ways for things that move. Click corner after corner, or press and draw.

import { thicken } from "../shapes.js";
import { rounded } from "./select.js";

const CLOSE = 0.15; // [m] a drawn line may be off by when it is simplified
const SPACING = 0.25; // [m] between points while drawing

class LineTool {
  cursor = "crosshair";

  constructor(app) {
    this.app = app;
    this.points = [];
  }

  down({ ground }) {
    if (!ground) return false;
    this.stroke = [[ground.x, ground.z]];
    return true;
  }

  move({ ground }, press) {
    if (!ground) return;
    const here = [ground.x, ground.z];
    if (press?.moved && this.stroke) {
      const last = this.stroke[this.stroke.length - 1];
      if (Math.hypot(here[0] - last[0], here[1] - last[1]) > SPACING) this.stroke.push(here);
    }
    this.show([...this.points, ...(this.stroke ?? []), here]);
  }

  up({ ground }, press) {
    const stroke = this.stroke ?? [];
    this.stroke = null;
    if (!press.moved) {
      if (ground) this.points.push([ground.x, ground.z]);
      this.show(this.points);
      return;
    }
    this.points = [...this.points, ...simplify(stroke, CLOSE)];
    this.finish();
  }

  /** The second click of a double click has put the last point twice. */
  double() {
    this.finish();
  }

  enter() {
    this.finish();
  }

  finish() {
    const points = this.points.filter(
      ([x, z], i) => !i || Math.hypot(x - this.points[i - 1][0], z - this.points[i - 1][1]) > 0.05,
    );
    this.cancel();
    if (points.length > 1) this.make(points);
  }

  cancel() {
    const busy = this.points.length > 0 || Boolean(this.stroke);
    this.points = [];
    this.stroke = null;
    this.app.preview.clear();
    return busy;
  }
}

export class WallTool extends LineTool {
  name = "wall";
  label = "Wall";
  title = "Draw a wall";
  key = "w";
  hint = "Click corners, then double-click or Enter; or press and draw.";
  values = { thickness: 0.2, height: 2.2 };
  settings = [
    { key: "thickness", label: "thick", kind: "number", min: 0.05, max: 5, step: 0.05, unit: "m" },
    { key: "height", label: "high", kind: "number", min: 0.1, max: 20, step: 0.1, unit: "m" },
  ];

  show(points) {
    if (points.length < 2) return;
    const shape = { kind: "polygon", corners: thicken(points, this.values.thickness), height: this.values.height };
    this.app.preview.showShape(shape, 0, 0, 0);
  }

  make(points) {
    // The wall's frame sits at its middle, where one would take hold of it.
    const x = points.reduce((sum, point) => sum + point[0], 0) / points.length;
    const z = points.reduce((sum, point) => sum + point[1], 0) / points.length;
    const local = points.map(([px, pz]) => Object.values(rounded({ x: px - x, z: pz - z })));
    const at = rounded({ x, z });
    const obstacle = {
      name: this.app.freshName("wall"),
      shape: { kind: "wall", points: local, thickness: this.values.thickness, height: this.values.height },
      position: [at.x, 0, at.z],
    };
    this.app.edits.send("add_obstacle", { obstacle });
  }
}

export class MoverTool extends LineTool {
  name = "mover";
  label = "Mover";
  title = "Add something that moves along a drawn path";
  key = "m";
  hint = "Draw the way of something that moves.";
  values = { form: "box", speed: 1.2, repeat: "back", height: 1.2 };
  settings = [
    { key: "form", label: "form", kind: "choice", choices: { box: "cart", cylinder: "pillar" } },
    { key: "height", label: "high", kind: "number", min: 0.1, max: 10, step: 0.1, unit: "m" },
    { key: "speed", label: "speed", kind: "number", min: 0.1, max: 5, step: 0.1, unit: "m/s" },
    {
      key: "repeat", label: "then", kind: "choice",
      choices: { back: "back again", cycle: "round again", once: "stay" },
    },
  ];

  shape() {
    const { form, height } = this.values;
    if (form === "box") return { kind: "box", width: 1, height, depth: 1.6 };
    return { kind: "cylinder", radius: 0.5, height };
  }

  show(points) {
    this.app.preview.showLine(points, (x, z) => this.app.ground.at(x, z));
    const [x, z] = points[0];
    const [nextX, nextZ] = points[1] ?? [x, z + 1];
    this.app.preview.showShape(this.shape(), x, this.app.ground.at(x, z), z, Math.atan2(nextX - x, nextZ - z));
  }

  make(points) {
    const every = 10; // frames between points of the track
    const places = walk(points, (this.values.speed * every) / this.app.clock.fps, this.app.limits.points ?? 500);
    const positions = places.map(([x, z]) => {
      const at = rounded({ x, y: this.app.ground.at(x, z), z });
      return [at.x, at.y, at.z];
    });
    const obstacle = {
      name: this.app.freshName("mover"),
      shape: this.shape(),
      position: positions[0],
      track: { first: 0, every, positions, repeat: this.values.repeat },
    };
    this.app.edits.send("add_obstacle", { obstacle });
  }
}

/** Points at equal distances along a line. */
function walk(points, step, most) {
  const places = [points[0]];
  let left = step;
  for (let i = 1; i < points.length && places.length < most; i += 1) {
    const [[ax, az], [bx, bz]] = [points[i - 1], points[i]];
    const length = Math.hypot(bx - ax, bz - az);
    let along = left;
    for (; along <= length && places.length < most; along += step) {
      places.push([ax + ((bx - ax) * along) / length, az + ((bz - az) * along) / length]);
    }
    left = along - length;
  }
  if (places.length < 2) places.push(points[points.length - 1]);
  return places;
}

/** Douglas and Peucker: as few points as keep within `tolerance` of the line. */
export function simplify(points, tolerance) {
  if (points.length < 3) return points;
  const [first, last] = [points[0], points[points.length - 1]];
  let [worst, at] = [0, 0];
  for (let i = 1; i < points.length - 1; i += 1) {
    const off = distanceToSegment(points[i], first, last);
    if (off > worst) [worst, at] = [off, i];
  }
  if (worst <= tolerance) return [first, last];
  return [...simplify(points.slice(0, at + 1), tolerance), ...simplify(points.slice(at), tolerance).slice(1)];
}

function distanceToSegment([x, z], [ax, az], [bx, bz]) {
  const [dx, dz] = [bx - ax, bz - az];
  const share = Math.min(Math.max(((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz || 1), 0), 1);
  return Math.hypot(x - ax - share * dx, z - az - share * dz);
}
