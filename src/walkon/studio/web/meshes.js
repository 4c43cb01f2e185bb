// Work on the body's mesh when it arrives: which surface a corner belongs to, what covers it, and coarser copies.

// What covers a part of the body; the shader has one colour for each.
export const SHIRT = 0;
export const TROUSERS = 1;
export const SKIN = 2;
export const SHOES = 3;

/** Number of the closed surface (V) that every vertex belongs to: a body is made of one per bone. */
export function splitSurfaces(indices, vertices) {
  const above = Int32Array.from({ length: vertices }, (_, i) => i);
  const root = (i) => {
    while (above[i] !== i) {
      above[i] = above[above[i]];
      i = above[i];
    }
    return i;
  };
  for (let t = 0; t < indices.length; t += 3) {
    const a = root(indices[t]);
    above[root(indices[t + 1])] = a;
    above[root(indices[t + 2])] = a;
  }
  return above.map((_, i) => root(i));
}

/**
 * What covers every vertex, judged by where its surface lies in the bind pose: feet are low, hands are far out, the
 * head is high. Clothes end where bones end, so seams are clean. Bodies that are longer than high wear one coat.
 */
export function findParts({ positions, surfaces }) {
  const boxes = new Map();
  const all = emptyBox();
  surfaces.forEach((surface, i) => {
    if (!boxes.has(surface)) boxes.set(surface, emptyBox());
    for (const box of [boxes.get(surface), all]) grow(box, positions, 3 * i);
  });
  const height = all.high[1] - all.low[1];
  const isUpright = height > 1.5 * (all.high[2] - all.low[2]);
  const covers = new Map();
  for (const [surface, box] of boxes) {
    const level = (0.5 * (box.low[1] + box.high[1]) - all.low[1]) / height;
    const out = Math.abs(0.5 * (box.low[0] + box.high[0])) / height;
    covers.set(surface, isUpright ? coverAt(level, out) : SHIRT);
  }
  return Float32Array.from(surfaces, (surface) => covers.get(surface));
}

function coverAt(level, out) {
  if (level < 0.09) return SHOES;
  if (level > 0.855 || out > 0.28) return SKIN;
  return level < 0.545 && out < 0.2 ? TROUSERS : SHIRT;
}

function emptyBox() {
  return { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
}

function grow(box, values, at) {
  for (let axis = 0; axis < 3; axis += 1) {
    box.low[axis] = Math.min(box.low[axis], values[at + axis]);
    box.high[axis] = Math.max(box.high[axis], values[at + axis]);
  }
}

/**
 * A coarser copy. Every surface is a tube with round ends, so its vertices are gathered by where they are along its
 * axis (`lengths` steps) and around it (`sectors`); a gathered vertex keeps the mean radius, or limbs would get thin.
 * Only the `most` largest surfaces stay: hands and toes are no pixel wide where this is used.
 */
export function decimate(body, lengths, sectors, most = Infinity) {
  const { positions, normals, bones, weights, indices, surfaces, parts } = body;
  const tubes = measureTubes(positions, surfaces);
  const size = ({ axis, radius }) => Math.hypot(...axis) * radius;
  const large = [...tubes].sort(([, a], [, b]) => size(b) - size(a)).slice(0, most);
  const stays = new Set(large.map(([surface]) => surface));
  const clusters = new Map();
  const sums = [];
  const cluster = Int32Array.from(surfaces, (surface, i) => {
    const tube = tubes.get(surface);
    const { along, radius, turn } = tubePlace(tube, positions, 3 * i);
    const level = Math.min(Math.floor(lengths * along), lengths - 1);
    const sector = radius < 0.3 * tube.radius ? "tip" : Math.floor((sectors * turn) / (2 * Math.PI)) % sectors;
    const key = `${surface},${bones[4 * i]},${level},${sector}`;
    if (!clusters.has(key)) {
      clusters.set(key, sums.length);
      sums.push({ first: i, tube, count: 0, along: 0, radius: 0, out: [0, 0, 0], normal: [0, 0, 0] });
    }
    const sum = sums[clusters.get(key)];
    sum.count += 1;
    sum.along += along;
    sum.radius += radius;
    for (let axis = 0; axis < 3; axis += 1) {
      sum.out[axis] += positions[3 * i + axis] - tube.start[axis] - along * tube.axis[axis];
      sum.normal[axis] += normals[3 * i + axis];
    }
    return clusters.get(key);
  });
  const kept = [];
  for (let t = 0; t < indices.length; t += 3) {
    if (!stays.has(surfaces[indices[t]])) continue;
    const [a, b, c] = [cluster[indices[t]], cluster[indices[t + 1]], cluster[indices[t + 2]]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return {
    positions: Float32Array.from(sums.flatMap(({ tube, count, along, radius, out }) =>
      unit(out).map((way, axis) => tube.start[axis] + (along / count) * tube.axis[axis] + (radius / count) * way))),
    normals: Float32Array.from(sums.flatMap(({ normal }) => unit(normal))),
    bones: Uint8Array.from(sums.flatMap(({ first }) => [...bones.subarray(4 * first, 4 * first + 4)])),
    weights: Uint8Array.from(sums.flatMap(({ first }) => [...weights.subarray(4 * first, 4 * first + 4)])),
    parts: Float32Array.from(sums, ({ first }) => parts[first]),
    indices: Uint32Array.from(kept),
  };
}

/** Per surface: its axis from `start` (3) along `axis` (3) [m], two directions across, and its largest radius. */
function measureTubes(positions, surfaces) {
  const members = new Map();
  surfaces.forEach((surface, i) => {
    if (!members.has(surface)) members.set(surface, []);
    members.get(surface).push(i);
  });
  const at = (i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
  const farthest = (from, among) => among.reduce(
    (best, i) => (distance(at(i), from) > distance(at(best), from) ? i : best), among[0]);
  const tubes = new Map();
  for (const [surface, among] of members) {
    const end = at(farthest(at(among[0]), among));
    const start = at(farthest(end, among));
    const axis = end.map((value, k) => value - start[k]);
    const across = unit(cross(axis, Math.abs(axis[1]) < 0.8 * Math.hypot(...axis) ? [0, 1, 0] : [1, 0, 0]));
    const tube = { start, axis, across, other: unit(cross(axis, across)), radius: 0 };
    tube.radius = Math.max(...among.map((i) => tubePlace(tube, positions, 3 * i).radius));
    tubes.set(surface, tube);
  }
  return tubes;
}

function tubePlace({ start, axis, across, other }, positions, at) {
  const from = [0, 1, 2].map((k) => positions[at + k] - start[k]);
  const [u, v] = [dot(from, across), dot(from, other)];
  const along = Math.min(Math.max(dot(from, axis) / (dot(axis, axis) || 1), 0), 1);
  return { along, radius: Math.hypot(u, v), turn: Math.atan2(v, u) + Math.PI };
}

function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
