// What is about to be made, shown as a pale ghost.

import * as THREE from "three";
import { ACCENT } from "../bodies.js";
import { shapeGeometry } from "../shapes.js";

export class Preview {
  constructor(group) {
    this.group = group;
    this.body = new THREE.Mesh(
      new THREE.BufferGeometry(),
      new THREE.MeshLambertMaterial({ color: ACCENT, transparent: true, opacity: 0.45, depthWrite: false }),
    );
    this.line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: ACCENT }));
    this.line.frustumCulled = false;
    this.fields = [0x3f8a66, ACCENT].map((color) => new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1).rotateX(-0.5 * Math.PI),
      new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.28, depthWrite: false }),
    ));
    this.body.visible = this.line.visible = false;
    for (const field of this.fields) field.visible = false;
    group.add(this.body, this.line, ...this.fields);
  }

  showShape(shape, x, y, z, heading = 0) {
    const key = JSON.stringify(shape);
    if (key !== this.key) {
      this.key = key;
      this.body.geometry.dispose();
      this.body.geometry = shapeGeometry(shape);
    }
    this.body.visible = true;
    this.body.position.set(x, y, z);
    this.body.rotation.set(0, heading, 0);
  }

  /** points: [[x, z]]. */
  showLine(points, heightAt) {
    this.line.visible = points.length > 1;
    if (!this.line.visible) return;
    this.line.geometry.dispose();
    this.line.geometry = new THREE.BufferGeometry()
      .setFromPoints(points.map(([x, z]) => new THREE.Vector3(x, heightAt(x, z) + 0.04, z)));
  }

  /** The k-th rectangle of ground [x0, z0, x1, z1]. */
  showField(k, [x0, z0, x1, z1]) {
    const field = this.fields[k];
    field.visible = true;
    field.position.set(0.5 * (x0 + x1), 0.03, 0.5 * (z0 + z1));
    field.scale.set(Math.max(x1 - x0, 0.01), 1, Math.max(z1 - z0, 0.01));
  }

  clear() {
    this.body.visible = this.line.visible = false;
    for (const field of this.fields) field.visible = false;
  }
}
