// Overlays made of lines and of circles on the ground.

import * as THREE from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

/** Many lines as one object, `width` [CSS pixels] wide: plain GL lines would be hairs on a dense screen. */
export class LineOverlay {
  constructor(heightAt, lift, opacity, width) {
    Object.assign(this, { heightAt, lift });
    const material = new LineMaterial({
      vertexColors: true, transparent: true, opacity, linewidth: width, depthWrite: false,
    });
    this.object = new LineSegments2(new LineSegmentsGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  /** lines: [{points: [[x, z]], colour}]. */
  set(lines) {
    const [positions, colours] = [[], []];
    for (const { points, colour } of lines) {
      for (let i = 1; i < points.length; i += 1) {
        for (const [x, z] of [points[i - 1], points[i]]) {
          positions.push(x, this.heightAt(x, z) + this.lift, z);
          colours.push(colour.r, colour.g, colour.b);
        }
      }
    }
    this.object.geometry.dispose();
    this.object.geometry = new LineSegmentsGeometry();
    this.object.visible = positions.length > 0;
    if (positions.length) this.object.geometry.setPositions(positions).setColors(colours);
  }
}

const MOST = 1200;
const COOL = new THREE.Color(0x2f7da3);
const WARM = new THREE.Color(0xe0892b);
const HOT = new THREE.Color(0xc4503b);
/** Space kept for somebody: from now to later. */
export const OUTLINE_COLOURS = [COOL, WARM];

/** Rings on the ground around people who wait: the redder, the longer. */
export class CircleOverlay {
  constructor(heightAt) {
    this.heightAt = heightAt;
    const disc = new THREE.RingGeometry(0.9, 1, 36).rotateX(-0.5 * Math.PI);
    this.object = new THREE.InstancedMesh(
      disc,
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false }),
      MOST,
    );
    this.object.count = 0;
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  /** circles: [{x, z, radius, share: 0..1}]. */
  set(circles) {
    const matrix = new THREE.Matrix4();
    const colour = new THREE.Color();
    // Thousands of nearly equal circles say no more than some hundred.
    const stride = Math.max(1, Math.ceil(circles.length / MOST));
    let count = 0;
    for (let i = 0; i < circles.length; i += stride) {
      const { x, z, radius, share } = circles[i];
      matrix.makeScale(radius, 1, radius).setPosition(x, this.heightAt(x, z) + 0.05, z);
      this.object.setMatrixAt(count, matrix);
      this.object.setColorAt(count, colour.lerpColors(WARM, HOT, share));
      count += 1;
    }
    this.object.count = count;
    this.object.visible = count > 0;
    this.object.instanceMatrix.needsUpdate = true;
    if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
  }
}
