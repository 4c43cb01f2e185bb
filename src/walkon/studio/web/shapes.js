// Geometry of the obstacles' shapes, in their own frame: they stand on their origin, y up, as walkon.world.shapes.

import * as THREE from "three";

export function shapeGeometry(shape) {
  switch (shape.kind) {
    case "box":
      return new THREE.BoxGeometry(shape.width, shape.height, shape.depth).translate(0, 0.5 * shape.height, 0);
    case "cylinder":
      return new THREE.CylinderGeometry(shape.radius, shape.radius, shape.height, 48)
        .translate(0, 0.5 * shape.height, 0);
    case "sphere":
      return new THREE.SphereGeometry(shape.radius, 40, 24);
    case "capsule":
      return new THREE.CapsuleGeometry(shape.radius, shape.length, 12, 32).translate(0, 0.5 * shape.length, 0);
    case "polygon":
      return prism(shape.corners, shape.height);
    case "mesh":
      return mesh(shape);
    default:
      throw new Error(`no shape ${shape.kind}`);
  }
}

/** Extruded along y. three.js extrudes outlines of the (x, y) plane along z: so y stands for -z, then turn. */
function prism(corners, height) {
  const outline = new THREE.Shape(corners.map(([x, z]) => new THREE.Vector2(x, -z)));
  return new THREE.ExtrudeGeometry(outline, { depth: height, bevelEnabled: false }).rotateX(-0.5 * Math.PI);
}

function mesh({ vertices, faces }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(vertices.flat(), 3));
  geometry.setIndex(faces.flat());
  const flat = geometry.toNonIndexed(); // every face its own normal: obstacles have edges
  flat.computeVertexNormals();
  geometry.dispose();
  return flat;
}

/** A few words for people, such as "box, 2.0 × 1.0 × 0.5 m". */
export function shapeWords(shape) {
  const m = (value) => value.toFixed(value < 1 ? 2 : 1);
  switch (shape.kind) {
    case "box": return `box, ${m(shape.width)} × ${m(shape.depth)} m, ${m(shape.height)} m high`;
    case "cylinder": return `cylinder, ${m(2 * shape.radius)} m wide, ${m(shape.height)} m high`;
    case "sphere": return `ball, ${m(2 * shape.radius)} m`;
    case "capsule": return `pole, ${m(2 * shape.radius)} m wide`;
    case "polygon": return `outline of ${shape.corners.length} corners, ${m(shape.height)} m high`;
    default: return shape.kind;
  }
}

/** Corners (K) of [x, z] of a wall along points: a line made thick, as the server will make it. */
export function thicken(points, thickness) {
  const half = 0.5 * thickness;
  const left = [];
  const right = [];
  points.forEach(([x, z], i) => {
    const before = direction(points[Math.max(i - 1, 0)], points[Math.max(i, 1)]);
    const after = direction(points[Math.min(i, points.length - 2)], points[Math.min(i + 1, points.length - 1)]);
    const [nx, nz] = [-(before[1] + after[1]), before[0] + after[0]];
    const length = Math.hypot(nx, nz) || 1;
    const [ux, uz] = [nx / length, nz / length];
    const reach = Math.min(half / Math.max(Math.abs(ux * -after[1] + uz * after[0]), 0.3), 3 * half);
    left.push([x + reach * ux, z + reach * uz]);
    right.unshift([x - reach * ux, z - reach * uz]);
  });
  return [...left, ...right];
}

function direction([ax, az], [bx, bz]) {
  const length = Math.hypot(bx - ax, bz - az) || 1;
  return [(bx - ax) / length, (bz - az) / length];
}
