// The ground: level or terrain, with a grid that stays thin at any distance and metres written along two edges.

import * as THREE from "three";

const FIELD = 0xe6e8ea; // inside the bounds
const OUTSIDE = 0xeff1f3;

const GRID = /* glsl */ `
  // Lines of constant width on screen, fading out before they get closer than a few pixels to each other.
  float gridLine(vec2 at, float spacing, float width) {
    vec2 cells = at / spacing;
    vec2 slope = fwidth(cells);
    vec2 near = abs(fract(cells - 0.5) - 0.5) / slope;
    float line = 1.0 - min(min(near.x, near.y) / width, 1.0);
    return line * (1.0 - smoothstep(0.08, 0.35, max(slope.x, slope.y)));
  }
`;

export class Ground {
  constructor(group) {
    this.group = group;
    this.parts = new THREE.Group();
    group.add(this.parts);
    this.terrain = null;
    this.bounds = [-10, -10, 10, 10];
  }

  /** Lay the ground anew; returns whether anything was different. */
  set(bounds, terrain) {
    const key = JSON.stringify([bounds, terrain]);
    if (key === this.key) return false;
    this.key = key;
    this.bounds = bounds;
    this.terrain = terrain;
    for (const part of this.parts.children) {
      part.geometry.dispose();
      part.material.map?.dispose();
      part.material.dispose();
    }
    this.parts.clear();
    const material = gridMaterial(bounds);
    const surface = new THREE.Mesh(terrain ? terrainGeometry(terrain) : flatGeometry(bounds), material);
    surface.receiveShadow = true;
    this.parts.add(surface, edgeLine(bounds, this), metreLabels(bounds));
    return true;
  }

  /** Height [m] of the ground: bilinear inside the terrain, level beyond its edge. */
  at(x, z) {
    if (!this.terrain) return 0;
    const { origin_x: x0, origin_z: z0, cell, heights } = this.terrain;
    const u = Math.min(Math.max((x - x0) / cell, 0), heights[0].length - 1);
    const v = Math.min(Math.max((z - z0) / cell, 0), heights.length - 1);
    const [i, j] = [Math.min(Math.floor(u), heights[0].length - 2), Math.min(Math.floor(v), heights.length - 2)];
    const near = heights[j][i] * (1 - u + i) + heights[j][i + 1] * (u - i);
    const far = heights[j + 1][i] * (1 - u + i) + heights[j + 1][i + 1] * (u - i);
    return near * (1 - v + j) + far * (v - j);
  }

  /** Where a ray meets the ground, or null. On terrain: by small steps, then halving. */
  hit(ray) {
    if (!this.terrain) {
      const length = -ray.origin.y / ray.direction.y;
      return length > 0 ? ray.at(length, new THREE.Vector3()) : null;
    }
    const point = new THREE.Vector3();
    const above = (length) => {
      ray.at(length, point);
      return point.y - this.at(point.x, point.z);
    };
    const step = 0.5 * this.terrain.cell;
    let length = 0;
    while (above(length) > 0 && length < 2000) length += Math.max(step, 0.02 * length);
    if (length >= 2000) return null;
    let [low, high] = [Math.max(0, length - Math.max(step, 0.02 * length)), length];
    for (let i = 0; i < 12; i += 1) {
      const middle = 0.5 * (low + high);
      if (above(middle) > 0) low = middle;
      else high = middle;
    }
    ray.at(high, point);
    return point;
  }
}

function gridMaterial([x0, z0, x1, z1]) {
  const material = new THREE.MeshLambertMaterial({ color: FIELD });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.bounds = { value: new THREE.Vector4(x0, z0, x1, z1) };
    shader.uniforms.outside = { value: new THREE.Color(OUTSIDE) };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vOnGround;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvOnGround = position.xz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>\nvarying vec2 vOnGround;\nuniform vec4 bounds;\nuniform vec3 outside;\n${GRID}`,
      )
      .replace("#include <color_fragment>", /* glsl */ `
        vec2 within = step(bounds.xy, vOnGround) * step(vOnGround, bounds.zw);
        float inside = within.x * within.y;
        diffuseColor.rgb = mix(outside, diffuseColor.rgb, inside);
        float lines = max(0.10 * gridLine(vOnGround, 1.0, 1.1), 0.2 * gridLine(vOnGround, 5.0, 1.3));
        diffuseColor.rgb *= 1.0 - lines * mix(0.25, 1.0, inside);
      `);
  };
  return material;
}

function flatGeometry([x0, z0, x1, z1]) {
  const size = 8 * Math.max(x1 - x0, z1 - z0, 50);
  const plane = new THREE.PlaneGeometry(size, size).rotateX(-0.5 * Math.PI);
  return plane.translate(0.5 * (x0 + x1), 0, 0.5 * (z0 + z1));
}

function terrainGeometry({ origin_x: x0, origin_z: z0, cell, heights }) {
  const [rows, columns] = [heights.length, heights[0].length];
  const positions = new Float32Array(3 * rows * columns);
  const indices = [];
  for (let j = 0; j < rows; j += 1) {
    for (let i = 0; i < columns; i += 1) {
      positions.set([x0 + i * cell, heights[j][i], z0 + j * cell], 3 * (j * columns + i));
      if (i + 1 === columns || j + 1 === rows) continue;
      const [a, b, c, d] = [j * columns + i, j * columns + i + 1, (j + 1) * columns + i, (j + 1) * columns + i + 1];
      indices.push(a, c, b, b, c, d);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}

function edgeLine([x0, z0, x1, z1], ground) {
  const corners = [[x0, z0], [x1, z0], [x1, z1], [x0, z1], [x0, z0]];
  const points = [];
  for (let k = 0; k < 4; k += 1) {
    const [[ax, az], [bx, bz]] = [corners[k], corners[k + 1]];
    const pieces = ground.terrain ? 60 : 1;
    for (let i = 0; i <= pieces; i += 1) {
      const [x, z] = [ax + ((bx - ax) * i) / pieces, az + ((bz - az) * i) / pieces];
      points.push(new THREE.Vector3(x, ground.at(x, z) + 0.012, z));
    }
  }
  const geometry = new THREE.BufferGeometry().setFromPoints(points);
  return new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xb4bac2 }));
}

/** Metres along the south and east edges: one texture, one mesh. */
function metreLabels([x0, z0, x1, z1]) {
  const span = Math.max(x1 - x0, z1 - z0);
  const every = span > 240 ? 50 : span > 110 ? 20 : span > 45 ? 10 : 5;
  const size = 0.028 * Math.min(span, 90);
  const places = [];
  const ticks = (from, to) => {
    const found = [];
    for (let value = Math.ceil(from / every) * every; value <= to + 1e-6; value += every) found.push(value);
    return found;
  };
  for (const x of ticks(x0, x1)) places.push([x, z1 + 0.75 * size, `${x}`]);
  for (const z of ticks(z0, z1)) places.push([x1 + 1.1 * size, z, `${z}`]);
  places.push([x0, z1 + 2.0 * size, "x [m]"], [x1 + 2.6 * size, z0, "z [m]"]);
  const canvas = document.createElement("canvas");
  const [cellWidth, cellHeight, columns] = [128, 64, 8];
  canvas.width = cellWidth * columns;
  canvas.height = cellHeight * Math.ceil(places.length / columns);
  const pen = canvas.getContext("2d");
  Object.assign(pen, { font: "500 40px system-ui, sans-serif", textAlign: "center", textBaseline: "middle" });
  pen.fillStyle = "#939ba5";
  const [positions, uvs, indices] = [[], [], []];
  places.forEach(([x, z, text], k) => {
    const [column, row] = [k % columns, Math.floor(k / columns)];
    pen.fillText(text, (column + 0.5) * cellWidth, (row + 0.5) * cellHeight);
    for (const [u, v] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
      positions.push(x + (u - 0.5) * 2 * size, 0.01, z + (v - 0.5) * size);
      uvs.push(((column + u) * cellWidth) / canvas.width, 1 - ((row + v) * cellHeight) / canvas.height);
    }
    indices.push(4 * k, 4 * k + 2, 4 * k + 1, 4 * k + 1, 4 * k + 2, 4 * k + 3);
  });
  const map = new THREE.CanvasTexture(canvas);
  map.anisotropy = 8;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(uvs, 2));
  geometry.setIndex(indices);
  return new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ map, transparent: true, depthWrite: false }));
}
