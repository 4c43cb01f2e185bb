// Overlays made of a grid of values: how dense the crowd is, and how far the nearest obstacle is.

import * as THREE from "three";

// Stops [value, red, green, blue, opacity]. Density in people per square metre: calm up to 0.3, hot from 1.2.
const RAMPS = {
  density: [
    [0.02, 252, 214, 120, 0], [0.15, 250, 196, 96, 0.45], [0.5, 238, 142, 70, 0.62], [1.2, 208, 78, 62, 0.75],
    [2.5, 140, 40, 70, 0.82],
  ],
  // Clearance in metres: what nobody can enter is dark, the open plain is bare.
  gridmap: [
    [-0.3, 60, 76, 96, 0.62], [0, 70, 100, 130, 0.55], [0.5, 80, 135, 170, 0.42], [2, 120, 180, 190, 0.2],
    [5, 150, 205, 200, 0],
  ],
};

export class GridOverlay {
  constructor(kind, lift) {
    this.ramp = RAMPS[kind];
    this.soft = kind === "density"; // counted in cells of a metre: the eye wants it smooth
    this.lift = lift;
    this.object = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1).rotateX(-0.5 * Math.PI),
      new THREE.MeshBasicMaterial({ transparent: true, depthWrite: false }),
    );
    this.object.visible = false;
    this.object.renderOrder = 1;
  }

  /** origin_x, origin_z: centre of the first cell [m]; values (rows along z, columns along x). */
  set({ origin_x: x0, origin_z: z0, cell, values: given }) {
    const values = this.soft ? soften(soften(given)) : given;
    const [rows, columns] = [values.length, values[0]?.length ?? 0];
    if (!rows || !columns) return;
    const data = new Uint8Array(4 * rows * columns);
    for (let j = 0; j < rows; j += 1) {
      for (let i = 0; i < columns; i += 1) this.paint(values[j][i], data, 4 * (j * columns + i));
    }
    this.texture?.dispose();
    this.texture = new THREE.DataTexture(data, columns, rows);
    Object.assign(this.texture, {
      colorSpace: THREE.SRGBColorSpace, magFilter: THREE.LinearFilter, minFilter: THREE.LinearFilter,
    });
    this.texture.needsUpdate = true;
    const { object } = this;
    object.material.map = this.texture;
    object.material.needsUpdate = true;
    // Row 0 of the texture is at v = 0, which the turned plane has at its +z side: mirror it.
    object.scale.set(columns * cell, 1, -rows * cell);
    object.material.side = THREE.DoubleSide;
    object.position.set(x0 + 0.5 * (columns - 1) * cell, this.lift, z0 + 0.5 * (rows - 1) * cell);
  }

  paint(value, data, at) {
    const { ramp } = this;
    let k = 0;
    while (k < ramp.length - 2 && value > ramp[k + 1][0]) k += 1;
    const [low, high] = [ramp[k], ramp[k + 1]];
    const share = Math.min(Math.max((value - low[0]) / (high[0] - low[0]), 0), 1);
    for (let channel = 0; channel < 3; channel += 1) {
      data[at + channel] = low[channel + 1] + share * (high[channel + 1] - low[channel + 1]);
    }
    data[at + 3] = 255 * (low[4] + share * (high[4] - low[4]));
  }
}

/** Every value with a share of its neighbours: 1 2 1 along both axes. */
function soften(values) {
  const along = (row) => row.map((value, i) => (2 * value + (row[i - 1] ?? value) + (row[i + 1] ?? value)) / 4);
  const rows = values.map(along);
  return rows.map((row, j) => row.map((value, i) => (
    (2 * value + (rows[j - 1] ?? row)[i] + (rows[j + 1] ?? row)[i]) / 4
  )));
}
