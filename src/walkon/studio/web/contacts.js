// A soft dark spot under everybody: it ties feet to the ground where the sun's shadow is too coarse to do so.

import * as THREE from "three";

export class Contacts {
  constructor(group) {
    this.group = group;
    this.geometry = new THREE.InstancedBufferGeometry();
    const plane = new THREE.PlaneGeometry(0.9, 0.9).rotateX(-0.5 * Math.PI);
    this.geometry.setAttribute("position", plane.getAttribute("position"));
    this.geometry.setAttribute("uv", plane.getAttribute("uv"));
    this.geometry.setIndex(plane.index);
    this.reserve(256);
    const material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      vertexShader: /* glsl */ `
        attribute vec3 place;
        varying vec2 vUv;
        void main() {
          vUv = uv;
          gl_Position = projectionMatrix * viewMatrix * vec4(position + place + vec3(0.0, 0.015, 0.0), 1.0);
        }`,
      fragmentShader: /* glsl */ `
        varying vec2 vUv;
        void main() {
          float away = 2.0 * length(vUv - 0.5);
          gl_FragColor = vec4(0.1, 0.12, 0.16, 0.32 * pow(max(0.0, 1.0 - away), 1.6));
        }`,
    });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    group.add(this.mesh);
  }

  reserve(capacity) {
    this.places = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    this.places.setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("place", this.places);
    delete this.geometry._maxInstanceCount; // three.js remembers how many the old buffer held
  }

  update(seen) {
    if (3 * seen.count > this.places.array.length) this.reserve(2 * seen.count);
    const { array } = this.places;
    for (let i = 0; i < seen.count; i += 1) {
      array[3 * i] = seen.x[i];
      array[3 * i + 1] = seen.ground[i];
      array[3 * i + 2] = seen.z[i];
    }
    this.geometry.instanceCount = seen.count;
    this.mesh.visible = seen.count > 0;
    this.places.needsUpdate = true;
  }
}
