// Obstacles: quiet clay; hatched in a tint where there is a way over or under; teal where they move.

import * as THREE from "three";
import { ACCENT } from "./bodies.js";
import { shapeGeometry } from "./shapes.js";

// The same tints as in walkon.world.tints.
const CLAY = [206, 196, 184];
export const PASS_TINTS = {
  step_over: [226, 190, 122],
  jump_over: [220, 148, 108],
  duck_under: [126, 164, 196],
  crawl_under: [158, 144, 190],
};
const MOVING = [104, 152, 150];

export class Obstacles {
  constructor(group, marks) {
    this.group = group;
    this.marks = marks;
    this.shown = new Map(); // name -> Shown
    this.held = new Map(); // name -> {x, z, heading} while the user drags it: the hand is quicker than the server
  }

  set(list) {
    const names = new Set(list.map(({ name }) => name));
    for (const [name, shown] of this.shown) {
      if (!names.has(name)) {
        shown.dispose();
        this.shown.delete(name);
      }
    }
    for (const data of list) {
      const key = JSON.stringify([data.shape, data.passes, data.track]);
      const known = this.shown.get(data.name);
      if (known?.key === key) {
        known.data = data;
        continue;
      }
      known?.dispose();
      this.shown.set(data.name, new Shown(data, key, this.group, this.marks));
    }
  }

  update(frame, selected) {
    for (const [name, shown] of this.shown) {
      shown.pose(frame, this.held.get(name));
      shown.highlight(selected.has(name));
    }
  }

  get(name) {
    return this.shown.get(name);
  }

  /** Obstacle under a ray: {name, distance, point} or null. */
  hit(raycaster) {
    const meshes = [...this.shown.values()].map(({ mesh }) => mesh);
    const [first] = raycaster.intersectObjects(meshes, false);
    return first ? { name: first.object.name, distance: first.distance, point: first.point } : null;
  }
}

class Shown {
  constructor(data, key, group, marks) {
    Object.assign(this, { data, key, group, marks });
    this.geometry = shapeGeometry(data.shape);
    this.material = obstacleMaterial(data);
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.name = data.name;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.edges = new THREE.LineSegments(
      new THREE.EdgesGeometry(this.geometry, 25),
      new THREE.LineBasicMaterial({ color: 0x6f685f, transparent: true, opacity: 0.4 }),
    );
    this.mesh.add(this.edges);
    group.add(this.mesh);
    if (data.track) this.addPath(data.track);
  }

  /** The way of what moves, drawn on the ground. */
  addPath({ positions }) {
    const points = positions.map(([x, , z]) => new THREE.Vector3(x, 0.02, z));
    const geometry = new THREE.BufferGeometry().setFromPoints(points);
    this.path = new THREE.Line(
      geometry,
      new THREE.LineDashedMaterial({ color: 0x4f8885, dashSize: 0.35, gapSize: 0.25 }),
    );
    this.path.computeLineDistances();
    this.marks.add(this.path);
  }

  pose(frame, held) {
    const { position, rotation, track } = this.data;
    if (track) this.poseOnTrack(frame, track);
    else {
      this.mesh.position.fromArray(position);
      setRotation(this.mesh.quaternion, rotation);
    }
    if (held) {
      const turned = held.heading - this.place.heading; // whatever lies or leans goes on doing so
      this.mesh.position.x = held.x;
      this.mesh.position.z = held.z;
      this.mesh.quaternion.premultiply(TURN.setFromAxisAngle(UP, turned));
    }
  }

  poseOnTrack(frame, { first, every, positions, rotations }) {
    const at = Math.min(Math.max((frame - first) / every, 0), positions.length - 1);
    const here = Math.floor(at);
    const next = Math.min(here + 1, positions.length - 1);
    this.mesh.position.fromArray(positions[here]).lerp(BETWEEN.fromArray(positions[next]), at - here);
    if (!rotations?.length) return;
    setRotation(this.mesh.quaternion, rotations[here]);
    this.mesh.quaternion.slerp(setRotation(TURN, rotations[next]), at - here);
  }

  /** Place on the ground now: {x, z, heading}; the heading is what is left when the tilt is taken away. */
  get place() {
    const { x, z } = this.mesh.position;
    const { y, w } = this.mesh.quaternion;
    const heading = 2 * Math.atan2(y, w);
    return { x, z, heading: Math.atan2(Math.sin(heading), Math.cos(heading)) };
  }

  highlight(on) {
    this.edges.material.color.set(on ? ACCENT : 0x6f685f);
    this.edges.material.opacity = on ? 1 : 0.4;
    this.material.emissive.set(on ? ACCENT : 0x000000);
    this.material.emissiveIntensity = on ? 0.28 : 0;
  }

  dispose() {
    this.group.remove(this.mesh);
    for (const part of [this.edges, this.mesh, this.path]) {
      part?.geometry.dispose();
      part?.material.dispose();
    }
    if (this.path) this.marks.remove(this.path);
  }
}

const UP = new THREE.Vector3(0, 1, 0);
const BETWEEN = new THREE.Vector3();
const TURN = new THREE.Quaternion();

/** walkon writes (w, x, y, z), three.js keeps (x, y, z, w). */
function setRotation(target, [w, x, y, z]) {
  return target.set(x, y, z, w);
}

export function obstacleMaterial({ passes, track }) {
  const tints = passes?.length ? passes.map((pass) => PASS_TINTS[pass]) : [track ? MOVING : CLAY];
  const material = new THREE.MeshLambertMaterial({ color: cssColour(tints[0]) });
  if (!passes?.length) return material;
  // Hatching says: there is a way past this. The second tint is the second way, or a lighter first.
  const second = tints[1] ? cssColour(tints[1]) : cssColour(tints[0]).lerp(new THREE.Color(0xffffff), 0.45);
  material.onBeforeCompile = (shader) => {
    shader.uniforms.second = { value: second };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vLocal;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLocal = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vLocal;\nuniform vec3 second;")
      .replace("#include <color_fragment>", /* glsl */ `
        float across = (vLocal.x + vLocal.y + vLocal.z) * 4.0;
        float edge = fwidth(across);
        float wave = abs(fract(across) - 0.5) * 2.0;
        diffuseColor.rgb = mix(diffuseColor.rgb, second, smoothstep(0.5 - edge, 0.5 + edge, wave));
      `);
  };
  return material;
}

function cssColour([r, g, b]) {
  return new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace);
}
