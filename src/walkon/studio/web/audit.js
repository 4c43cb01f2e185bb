// What the audit found in a take: marks on the time line, pins in the scene, and a list to jump from.

import * as THREE from "three";
import { byId, el } from "./dom.js";

const MOST_PINS = 200;
const MOST_LISTED = 100;

export class AuditMarks {
  constructor(app, group) {
    this.app = app;
    this.marks = [];
    this.pins = new THREE.InstancedMesh(
      new THREE.SphereGeometry(0.18, 20, 14),
      new THREE.MeshBasicMaterial({ color: 0xc4503b, transparent: true, opacity: 0.75, depthTest: false }),
      MOST_PINS,
    );
    this.pins.count = 0;
    this.pins.frustumCulled = false;
    this.pins.renderOrder = 5;
    group.add(this.pins);
    this.list = el("div");
    byId("panel").append(this.list);
  }

  clear() {
    this.marks = [];
    this.app.timeline.setMarks([], 1);
    this.list.replaceChildren();
  }

  set({ frames, marks, audited }) {
    this.marks = marks;
    this.app.timeline.setMarks(marks, frames);
    const verdict = audited === false ? "The audit is still looking." : "The audit found nothing.";
    this.list.replaceChildren(
      el("h2", { textContent: "Audit" }),
      marks.length
        ? el("div", { className: "chips" }, ...marks.slice(0, MOST_LISTED).map((mark) => el("button", {
          title: mark.message, textContent: `${(mark.frame_first / this.app.clock.fps).toFixed(1)} s ${mark.kind}`,
          onclick: () => this.jump(mark),
        })))
        : el("p", { className: "quiet", textContent: verdict }),
    );
  }

  jump({ frame_first: frame, who, at }) {
    this.app.actions.seek(frame);
    if (typeof who === "number") this.app.selection.pick({ people: [who] });
    if (at) this.app.stage.focus(at[0], Math.max(at[1] - 1, 0), at[2], 8);
  }

  /** Pins of what goes on at the frame shown, and a little around it. */
  update(frame) {
    const matrix = new THREE.Matrix4();
    let count = 0;
    for (const { frame_first: first, frame_last: last, at } of this.marks) {
      if (!at || frame < first - 5 || frame > last + 5 || count >= MOST_PINS) continue;
      this.pins.setMatrixAt(count++, matrix.makeTranslation(at[0], at[1], at[2]));
    }
    this.pins.count = count;
    this.pins.visible = count > 0;
    this.pins.instanceMatrix.needsUpdate = true;
  }
}
