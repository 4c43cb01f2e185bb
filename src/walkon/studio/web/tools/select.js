// Select and drag: obstacles, people, flags of goals. On empty ground the camera turns; with shift, a box selects.

import { byId } from "../dom.js";

const GHOST = { kind: "capsule", radius: 0.24, length: 1.25 }; // stands for somebody who is being carried

export class SelectTool {
  name = "select";
  label = "Select";
  title = "Select and drag";
  key = "v";

  constructor(app) {
    this.app = app;
    this.drag = null;
  }

  down(touch) {
    const { picking, flags, selection } = this.app;
    const flag = flags.at(touch.x, touch.y);
    if (flag) {
      this.drag = { kind: "goal", people: flag.people };
      return true;
    }
    const hit = picking.at(touch.x, touch.y);
    if (!hit) {
      if (!touch.shift) return false;
      this.drag = { kind: "lasso", x: touch.x, y: touch.y };
      return true;
    }
    const chosen = hit.kind === "person" ? selection.people.has(hit.who) : selection.obstacles.has(hit.name);
    if (!chosen || touch.shift) {
      selection.pick(hit.kind === "person" ? { people: [hit.who] } : { obstacles: [hit.name] }, touch.shift);
    }
    if (this.app.isPast()) this.drag = { kind: "nothing" };
    else this.drag = hit.kind === "person" ? this.grabPerson(hit, touch) : this.grabObstacles(hit, touch);
    return true;
  }

  grabPerson({ who }, { ground }) {
    const place = this.app.crowd.placeOf(who);
    return { kind: "person", who, dx: place.x - (ground?.x ?? place.x), dz: place.z - (ground?.z ?? place.z) };
  }

  /** All selected obstacles move together; what is on a track of its own keeps to it. */
  grabObstacles({ point }) {
    const { selection, obstacles } = this.app;
    const grabbed = [...selection.obstacles]
      .filter((name) => !obstacles.get(name)?.data.track)
      .map((name) => {
        const { x, z, heading } = obstacles.get(name).place;
        return { name, x, z, heading };
      });
    return grabbed.length ? { kind: "obstacles", grabbed, height: point.y, from: null } : { kind: "nothing" };
  }

  move(touch, press) {
    const { drag } = this;
    if (!drag) {
      this.hover(touch);
      return;
    }
    if (!press?.moved) return;
    if (drag.kind === "lasso") this.drawLasso(drag, touch);
    else if (drag.kind === "goal" && touch.ground) {
      this.app.flags.held = { x: touch.ground.x, z: touch.ground.z, people: new Set(drag.people) };
    } else if (drag.kind === "person" && touch.ground) this.carry(drag, touch.ground);
    else if (drag.kind === "obstacles") this.moveObstacles(drag, touch, press);
  }

  /** Somebody is carried as a ghost, and put down at the end: until then the person walks on. */
  carry(drag, ground) {
    drag.to = { x: ground.x + drag.dx, z: ground.z + drag.dz };
    const { x, z } = drag.to;
    this.app.preview.showShape(GHOST, x, this.app.ground.at(x, z) + GHOST.radius, z);
  }

  /** Whoever was put down has a new number, and stays selected under it. */
  async putDown({ who, to }) {
    const { edits, preview, selection } = this.app;
    const reply = await edits.send("move_person", { who, ...rounded(to), final: true });
    preview.clear();
    if (reply?.people?.length) selection.pick({ people: reply.people });
  }

  /** The grabbed point stays under the pointer: obstacles are moved in the plane of that point's height. */
  moveObstacles(drag, touch, press) {
    drag.from ??= this.inPlane(press, drag.height);
    const to = this.inPlane(touch, drag.height);
    if (!drag.from || !to) return;
    for (const { name, x, z, heading } of drag.grabbed) {
      const place = { x: x + to.x - drag.from.x, z: z + to.z - drag.from.z, heading };
      this.app.obstacles.held.set(name, place);
      this.app.edits.drag(name, "move_obstacle", { name, ...rounded(place) });
    }
    drag.moved = true;
  }

  inPlane({ x, y }, height) {
    const ray = this.app.picking.aim(x, y);
    const length = (height - ray.origin.y) / ray.direction.y;
    const { origin, direction } = ray;
    return length > 0 ? { x: origin.x + length * direction.x, z: origin.z + length * direction.z } : null;
  }

  async up(touch) {
    const { drag } = this;
    this.drag = null;
    const { app } = this;
    if (drag?.kind === "lasso") {
      byId("lasso").hidden = true;
      app.selection.pick(app.picking.inside(rectangle(drag, touch)), true);
    } else if (drag?.kind === "goal") {
      const to = app.flags.held;
      if (to) await app.edits.send("set_goal", { people: drag.people, ...rounded({ x: to.x, z: to.z }) });
      app.flags.held = null;
    } else if (drag?.kind === "person" && drag.to) await this.putDown(drag);
    else if (drag?.moved) await this.dropObstacles(drag);
  }

  async dropObstacles(drag) {
    const { obstacles, edits } = this.app;
    await Promise.all(drag.grabbed.map(async ({ name }) => {
      const place = obstacles.held.get(name);
      // Held until the server's scene says the same, or it would jump back for a moment.
      await edits.drop(name, "move_obstacle", { name, ...rounded(place) });
      if (obstacles.held.get(name) === place) obstacles.held.delete(name);
    }));
  }

  hover(touch) {
    const over = this.app.flags.at(touch.x, touch.y) || this.app.picking.at(touch.x, touch.y);
    this.app.stage.canvas.style.cursor = over ? "grab" : "default";
  }

  drawLasso(drag, touch) {
    const lasso = byId("lasso");
    const view = byId("view").getBoundingClientRect();
    const box = rectangle(drag, touch);
    lasso.hidden = false;
    lasso.style.left = `${box.left - view.left}px`;
    lasso.style.top = `${box.top - view.top}px`;
    lasso.style.width = `${box.right - box.left}px`;
    lasso.style.height = `${box.bottom - box.top}px`;
  }

  /** A click on nothing, without dragging: select nothing. */
  click() {
    this.app.selection.clear();
  }

  cancel() {
    const busy = Boolean(this.drag);
    this.drag = null;
    this.app.flags.held = null;
    this.app.obstacles.held.clear();
    if (busy) this.app.preview.clear();
    byId("lasso").hidden = true;
    return busy;
  }
}

function rectangle(a, b) {
  return { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) };
}

/** Millimetres are enough, and keep messages short. */
export function rounded(place) {
  return Object.fromEntries(Object.entries(place).map(([key, value]) => [key, Math.round(1000 * value) / 1000]));
}
