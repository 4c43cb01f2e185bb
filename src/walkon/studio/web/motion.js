// Baked motion of one performer: all clips as one table of matrices, and the body they move.

import * as THREE from "three";
import { decimate, findParts, splitSurfaces } from "./meshes.js";

const MAGIC = 0x574c4b31;
const HEADER_BYTES = 32;
const TEXTURE_WIDTH = 2048; // texels; every device that runs WebGL 2 has it

/** Fetch and unpack a performer: {texture, joints, roots, levels: [geometry], height}. */
export async function loadMotion(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the motion ${url} could not be loaded: ${response.status}`);
  return unpackMotion(await response.arrayBuffer());
}

export function unpackMotion(buffer) {
  const head = new Uint32Array(buffer, 0, 8);
  const [magic, joints, rows, vertices, triangles] = head;
  const expected = HEADER_BYTES + 48 * rows * joints + 32 * vertices + 12 * triangles;
  if (magic !== MAGIC || buffer.byteLength !== expected) throw new Error("the motion file is not one, or cut off");
  let offset = HEADER_BYTES;
  const take = (Kind, count) => {
    const view = new Kind(buffer, offset, count);
    offset += count * Kind.BYTES_PER_ELEMENT;
    return view;
  };
  const matrices = take(Float32Array, 12 * rows * joints);
  const body = {
    positions: take(Float32Array, 3 * vertices),
    normals: take(Float32Array, 3 * vertices),
    bones: take(Uint8Array, 4 * vertices),
    weights: take(Uint8Array, 4 * vertices),
    indices: take(Uint32Array, 3 * triangles),
  };
  body.surfaces = splitSurfaces(body.indices, vertices);
  body.parts = findParts(body);
  const height = heightOf(body.positions);
  // Far away a body is a few pixels high: it need not have thousands of corners.
  const levels = [body, decimate(body, 6, 7), decimate(body, 2, 4), decimate(body, 2, 3, 13)];
  return { texture: asTexture(matrices), joints, rows, roots: rootPlaces(matrices, rows, joints), levels, height };
}

function asTexture(matrices) {
  const texels = matrices.length / 4;
  const height = Math.ceil(texels / TEXTURE_WIDTH);
  const data = new Float32Array(4 * TEXTURE_WIDTH * height);
  data.set(matrices);
  const texture = new THREE.DataTexture(data, TEXTURE_WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

/**
 * Where the root is in every row, as the clip's entry sees it: x, z and the way the body looks. In the bind pose
 * the root is at the origin, so its matrix moves it by the translation alone.
 */
function rootPlaces(matrices, rows, joints) {
  const roots = new Float32Array(3 * rows);
  for (let row = 0; row < rows; row += 1) {
    const m = 12 * row * joints;
    roots[3 * row] = matrices[m + 3];
    roots[3 * row + 1] = matrices[m + 11];
    roots[3 * row + 2] = Math.atan2(matrices[m + 2], matrices[m + 10]);
  }
  return roots;
}

function heightOf(positions) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 1; i < positions.length; i += 3) {
    low = Math.min(low, positions[i]);
    high = Math.max(high, positions[i]);
  }
  return high - low;
}
