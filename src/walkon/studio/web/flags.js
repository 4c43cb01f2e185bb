// Marks of the selection: a ring under everybody selected, a flag on each goal, a thin line between them.

import * as THREE from "three";
import { ACCENT } from "./bodies.js";

const MOST = 600; // flags drawn; more would hide the scene
const CATCH = 16; // [pixels] around a flag's head in which it can be grabbed

export class Flags {
  constructor({ marks, stage, crowd, ground }) {
    Object.assign(this, { stage, crowd, ground });
    const plain = (opacity) => new THREE.MeshBasicMaterial({ color: ACCENT, transparent: true, opacity });
    this.rings = instanced(new THREE.RingGeometry(0.36, 0.44, 40).rotateX(-0.5 * Math.PI), plain(0.9));
    this.poles = instanced(new THREE.CylinderGeometry(0.025, 0.025, 1.5, 8).translate(0, 0.75, 0), plain(1));
    this.cloths = instanced(cloth(), plain(0.95));
    this.spots = instanced(new THREE.RingGeometry(0.24, 0.3, 32).rotateX(-0.5 * Math.PI), plain(0.6));
    this.lines = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: ACCENT, transparent: true, opacity: 0.35 }),
    );
    this.linePositions = new THREE.BufferAttribute(new Float32Array(6 * MOST), 3);
    this.lines.geometry.setAttribute("position", this.linePositions);
    this.lines.frustumCulled = false;
    marks.add(this.rings, this.poles, this.cloths, this.spots, this.lines);
    this.held = null; // {x, z, people: Set} while a flag is dragged
    this.goals = []; // [{x, z, people: [who]}] on screen
  }

  update() {
    this.goals = [];
    const byPlace = new Map();
    const matrix = new THREE.Matrix4();
    let [rings, lines] = [0, 0];
    for (const who of this.crowd.selected) {
      if (rings >= MOST) break;
      const place = this.crowd.placeOf(who);
      if (!place) continue;
      this.rings.setMatrixAt(rings++, matrix.makeTranslation(place.x, place.y + 0.02, place.z));
      const goal = this.held?.people.has(who) ? this.held : asPoint(this.crowd.people.get(who).goal);
      if (!goal) continue;
      const key = `${goal.x.toFixed(2)},${goal.z.toFixed(2)}`;
      if (!byPlace.has(key)) byPlace.set(key, { x: goal.x, z: goal.z, people: [] });
      byPlace.get(key).people.push(who);
      const y = this.ground.at(goal.x, goal.z) + 0.03;
      this.linePositions.array.set([place.x, place.y + 0.03, place.z, goal.x, y, goal.z], 6 * lines++);
    }
    this.goals = [...byPlace.values()];
    const facing = Math.atan2(
      this.stage.camera.position.x - this.stage.controls.target.x,
      this.stage.camera.position.z - this.stage.controls.target.z,
    );
    this.goals.forEach(({ x, z }, i) => {
      matrix.makeRotationY(facing).setPosition(x, this.ground.at(x, z) + 0.02, z);
      for (const part of [this.poles, this.cloths, this.spots]) part.setMatrixAt(i, matrix);
    });
    finish(this.rings, rings);
    for (const part of [this.poles, this.cloths, this.spots]) finish(part, this.goals.length);
    this.lines.geometry.setDrawRange(0, 2 * lines);
    this.linePositions.needsUpdate = true;
  }

  /** The flag under the pointer, or null. */
  at(clientX, clientY) {
    for (const goal of this.goals) {
      for (const height of [0, 0.75, 1.35]) {
        const point = this.stage.project(goal.x, this.ground.at(goal.x, goal.z) + height, goal.z);
        if (point && Math.hypot(point.x - clientX, point.y - clientY) < CATCH) return goal;
      }
    }
    return null;
  }
}

function asPoint(goal) {
  return goal && { x: goal[0], z: goal[1] };
}

function cloth() {
  const shape = new THREE.Shape([[0, 1.5], [0.5, 1.36], [0, 1.18]].map(([x, y]) => new THREE.Vector2(x, y)));
  const geometry = new THREE.ShapeGeometry(shape);
  const { index } = geometry;
  // Both sides are seen.
  geometry.setIndex([...index.array, ...[...index.array].reverse()]);
  return geometry;
}

function instanced(geometry, material) {
  const mesh = new THREE.InstancedMesh(geometry, material, MOST);
  mesh.count = 0;
  mesh.frustumCulled = false;
  return mesh;
}

function finish(mesh, count) {
  mesh.count = count;
  mesh.visible = count > 0;
  mesh.instanceMatrix.needsUpdate = true;
}
