// What can be laid over the scene, and when the server has to send it: only while it is shown.

import * as THREE from "three";
import { complain } from "./dom.js";
import { GridOverlay } from "./overlay_grid.js";
import { CircleOverlay, LineOverlay, OUTLINE_COLOURS } from "./overlay_marks.js";

export const WORDS = {
  paths: "paths", density: "density", waiting: "waiting", reserved: "reserved", tree: "search tree",
  gridmap: "gridmap",
};
// These are about one person, and follow the selection.
const PERSONAL = new Set(["reserved", "tree"]);

export class Overlays {
  constructor({ marks, net, crowd, ground, selection }) {
    Object.assign(this, { net, crowd, selection });
    this.words = WORDS;
    this.kinds = Object.keys(WORDS);
    this.on = new Set();
    this.offered = new Set();
    this.asked = new Map(); // kind -> who it was asked for
    this.latest = new Map(); // kind -> message
    const heightAt = (x, z) => ground.at(x, z);
    this.layers = {
      paths: new LineOverlay(heightAt, 0.06, 0.7, 1.6),
      tree: new LineOverlay(heightAt, 0.05, 0.5, 1.1),
      density: new GridOverlay("density", 0.045),
      gridmap: new GridOverlay("gridmap", 0.035),
      reserved: new LineOverlay(heightAt, 0.05, 0.8, 2),
      waiting: new CircleOverlay(heightAt),
    };
    for (const layer of Object.values(this.layers)) marks.add(layer.object);
    net.on("overlay", (message) => this.receive(message));
    selection.onChange(() => this.ask());
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  toggle(kind) {
    if (!this.offered.has(kind)) return;
    if (this.on.has(kind)) this.on.delete(kind);
    else this.on.add(kind);
    this.layers[kind].object.visible = false;
    this.ask();
    for (const listener of this.listeners) listener();
  }

  /** Somebody to show, where an overlay is about one person: the first of the selected. */
  whoFor(kind) {
    const [who] = this.selection.people;
    if (PERSONAL.has(kind)) return who;
    return kind === "paths" && this.selection.people.size === 1 ? who : undefined;
  }

  /** Tell the server what is wanted now, if that has changed. */
  ask() {
    for (const kind of this.kinds) {
      const who = this.whoFor(kind);
      const wanted = this.on.has(kind) && !(PERSONAL.has(kind) && who === undefined);
      const now = wanted ? String(who) : undefined;
      if (now === this.asked.get(kind)) continue;
      this.asked.set(kind, now);
      this.layers[kind].object.visible = false;
      this.latest.delete(kind);
      this.net.request("overlay", { kind, on: wanted, who: wanted ? who : undefined }).catch(complain);
    }
  }

  /** After a hello the server knows nothing of what we had asked for, and may offer something else. */
  setOffered(kinds) {
    this.offered = new Set(kinds);
    for (const kind of this.on) if (!this.offered.has(kind)) this.on.delete(kind);
    this.asked.clear();
    for (const layer of Object.values(this.layers)) layer.object.visible = false;
    this.latest.clear();
    this.ask();
    for (const listener of this.listeners) listener();
  }

  receive(message) {
    const { kind } = message;
    if (!this.on.has(kind) || !this.layers[kind]) return;
    this.latest.set(kind, message);
    const layer = this.layers[kind];
    layer.object.visible = true;
    if (kind === "paths") {
      layer.set(message.paths.map(({ who, points }) => ({ points, colour: shirtColour(who) })));
    } else if (kind === "tree") {
      layer.set(message.segments.map(([x0, z0, x1, z1]) => ({ points: [[x0, z0], [x1, z1]], colour: BRANCH })));
    } else if (kind === "reserved") {
      const last = Math.max(message.outlines.length - 1, 1);
      layer.set(message.outlines.map((corners, i) => (
        { points: [...corners, corners[0]], colour: new THREE.Color().lerpColors(...OUTLINE_COLOURS, i / last) })));
    } else if (kind !== "waiting") layer.set(message);
  }

  /** Every frame: waiting people stand where they stand, and their marks with them. */
  update() {
    const waiting = this.latest.get("waiting");
    if (!this.on.has("waiting") || !waiting) return;
    const circles = [];
    waiting.people.forEach((who, i) => {
      const place = this.crowd.placeOf(who);
      if (place) circles.push({ x: place.x, z: place.z, radius: 0.45, share: Math.min(waiting.seconds[i] / 10, 1) });
    });
    this.layers.waiting.set(circles);
  }
}

const BRANCH = new THREE.Color(0x6a5aa8);
const TINTS = [0x2f7da3, 0xc4503b, 0x3f8a66, 0xb57b1e, 0x6a5aa8, 0xb8587c].map((value) => new THREE.Color(value));

function shirtColour(who) {
  return TINTS[who % TINTS.length];
}
