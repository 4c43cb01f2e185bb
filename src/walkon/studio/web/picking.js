// What is under the pointer: people are few pixels wide, so they are found by distance and not by triangles.

import * as THREE from "three";

const WIDE = 0.32; // [m] around a person's axis that counts as a hit
const SLACK = 5; // [pixels] added to it, so that far people can be caught at all

export class Picking {
  constructor({ stage, ground, crowd, obstacles }) {
    Object.assign(this, { stage, ground, crowd, obstacles });
    this.raycaster = new THREE.Raycaster();
  }

  aim(clientX, clientY) {
    const box = this.stage.canvas.getBoundingClientRect();
    const point = new THREE.Vector2(
      (2 * (clientX - box.left)) / box.width - 1,
      1 - (2 * (clientY - box.top)) / box.height,
    );
    this.raycaster.setFromCamera(point, this.stage.camera);
    return this.raycaster.ray;
  }

  groundAt(clientX, clientY) {
    return this.ground.hit(this.aim(clientX, clientY));
  }

  /** {kind: "person", who} or {kind: "obstacle", name} under the pointer, whichever is nearer; else null. */
  at(clientX, clientY) {
    const ray = this.aim(clientX, clientY);
    const obstacle = this.obstacles.hit(this.raycaster);
    const person = this.personOn(ray);
    if (person && (!obstacle || person.distance < obstacle.distance + 0.3)) return { kind: "person", ...person };
    return obstacle && { kind: "obstacle", ...obstacle };
  }

  personOn(ray) {
    const { seen } = this.crowd;
    const perMetre = this.stage.pixelsPerMetre();
    const [foot, head, onRay] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    let best = null;
    for (let i = 0; i < seen.count; i += 1) {
      const pixels = perMetre(seen.x[i], seen.ground[i] + 0.9, seen.z[i]);
      if (pixels <= 0) continue;
      foot.set(seen.x[i], seen.ground[i] + 0.1, seen.z[i]);
      head.set(seen.x[i], seen.ground[i] + 1.7, seen.z[i]);
      const near = Math.sqrt(ray.distanceSqToSegment(foot, head, onRay));
      if (near > WIDE + SLACK / pixels) continue;
      const distance = onRay.distanceTo(ray.origin) + near; // nearer to the line wins among neighbours
      if (!best || distance < best.distance) best = { who: seen.who[i], distance };
    }
    return best;
  }

  /** People and obstacles inside a rectangle of the page {left, top, right, bottom}. */
  inside(rectangle) {
    const within = (x, y, z) => {
      const at = this.stage.project(x, y, z);
      return at && at.x >= rectangle.left && at.x <= rectangle.right
        && at.y >= rectangle.top && at.y <= rectangle.bottom;
    };
    const { seen } = this.crowd;
    const people = [];
    for (let i = 0; i < seen.count; i += 1) {
      if (within(seen.x[i], seen.ground[i] + 0.9, seen.z[i])) people.push(seen.who[i]);
    }
    const obstacles = [...this.obstacles.shown.values()]
      .filter(({ mesh }) => within(mesh.position.x, mesh.position.y, mesh.position.z))
      .map(({ data }) => data.name);
    return { people, obstacles };
  }
}
