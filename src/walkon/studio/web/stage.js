// The stage: renderer, camera, light. Pale and quiet, so that people are what one looks at.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Quality } from "./quality.js";

export const SKY = 0xf1f3f5;
const BODY_REACH = 4; // [m] from a body to its farthest hand, the tip of its shadow, and what the camera turns in a picture
const MOST_PIXELS = 8.3e6; // a 4K screen at one pixel each; denser screens gain nothing one could see

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.quality = new Quality();
    this.renderer = new THREE.WebGLRenderer({
      canvas, antialias: this.quality.smooth, powerPreference: "high-performance",
    });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.autoUpdate = false; // see draw
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(SKY);
    this.scene.fog = new THREE.Fog(SKY, 100, 400);
    this.camera = new THREE.PerspectiveCamera(36, 1, 0.1, 2000);
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, {
      enableDamping: true, dampingFactor: 0.14, maxPolarAngle: 0.49 * Math.PI, minDistance: 1.5,
      maxDistance: 900, zoomToCursor: true, screenSpacePanning: false, zoomSpeed: 1.2,
    });
    this.controls.mouseButtons = {
      LEFT: THREE.MOUSE.ROTATE, MIDDLE: THREE.MOUSE.PAN, RIGHT: THREE.MOUSE.PAN,
    };
    this.addLight();
    this.people = new THREE.Group();
    this.props = new THREE.Group();
    this.marks = new THREE.Group(); // overlays, flags, previews: drawn over the ground, pick nothing
    this.scene.add(this.people, this.props, this.marks);
    this.size = { width: 1, height: 1 };
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
  }

  addLight() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xdcdcdc, 1.85));
    this.sun = new THREE.DirectionalLight(0xfff8ee, 1.75);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(this.quality.shadowTexels);
    this.sun.shadow.radius = 3;
    this.sun.shadow.intensity = 0.6;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sun, this.sun.target);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.size = { width, height };
    const ratio = Math.min(window.devicePixelRatio, Math.sqrt(MOST_PIXELS / (width * height)));
    this.renderer.setPixelRatio(Math.max(ratio * this.quality.pixels, 0.4));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Give up a little sharpness where the machine cannot keep up. */
  adapt(seconds) {
    if (this.quality.judge(seconds)) this.resize();
  }

  /** Look at a rectangle of ground [x0, z0, x1, z1] from the south-east, so that all of it just fits. */
  frame([x0, z0, x1, z1]) {
    const direction = new THREE.Vector3(0.5, 0.66, 0.86).normalize();
    const target = new THREE.Vector3(0.5 * (x0 + x1), 0, 0.5 * (z0 + z1));
    let distance = Math.hypot(x1 - x0, z1 - z0) + 5;
    for (let round = 0; round < 6; round += 1) {
      this.camera.position.copy(target).addScaledVector(direction, distance);
      this.camera.far = 10 * distance;
      this.camera.lookAt(target);
      this.camera.updateMatrixWorld();
      this.camera.updateProjectionMatrix();
      const box = new THREE.Box2();
      for (const [x, z] of [[x0, z0], [x0, z1], [x1, z0], [x1, z1]]) {
        const seen = new THREE.Vector3(x, 0, z).project(this.camera);
        box.expandByPoint(new THREE.Vector2(seen.x, seen.y));
      }
      // Nearer ground is larger on screen, so the middle of the picture is not the middle of the ground.
      const off = 0.5 * (box.min.y + box.max.y);
      const rise = distance * Math.tan(0.5 * THREE.MathUtils.degToRad(this.camera.fov)) * off * 1.3;
      target.addScaledVector(new THREE.Vector3(-direction.x, 0, -direction.z).normalize(), rise);
      distance *= Math.max(box.max.x - box.min.x, box.max.y - box.min.y) / (2 * 0.9);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
  }

  /** Look closely at a place. */
  focus(x, y, z, distance = 8) {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.set(x, y + 1, z);
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.controls.update();
  }

  draw() {
    this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.scene.fog.near = 2.2 * distance + 30;
    this.scene.fog.far = 7 * distance + 150;
    this.camera.near = Math.max(0.05, 0.01 * distance);
    this.camera.far = 10 * distance + 400;
    this.camera.updateProjectionMatrix();
    this.followWithSun(distance);
    this.pictures = (this.pictures ?? 0) + 1;
    this.renderer.shadowMap.needsUpdate = this.pictures % this.quality.shadowEvery === 0;
    this.renderer.render(this.scene, this.camera);
  }

  /** Spend the shadow map on what is on screen; moved by whole texels, or edges of shadows would crawl. */
  followWithSun(distance) {
    const reach = THREE.MathUtils.clamp(0.85 * distance, 8, 160);
    const shadow = this.sun.shadow.camera;
    if (Math.abs(shadow.right - reach) > 0.08 * reach) {
      Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: 6 * reach });
      shadow.updateProjectionMatrix();
    }
    const texel = (2 * shadow.right) / this.quality.shadowTexels;
    const target = this.controls.target.clone().divideScalar(8 * texel).round().multiplyScalar(8 * texel);
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).add(new THREE.Vector3(-0.55, 1, 0.35).normalize().multiplyScalar(3 * shadow.right));
  }

  /** Whether a body at a point, or its shadow, may be on screen. */
  seesBodies() {
    const { camera } = this;
    camera.updateMatrixWorld();
    const view = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const frustum = new THREE.Frustum().setFromProjectionMatrix(view);
    const around = new THREE.Sphere(new THREE.Vector3(), BODY_REACH);
    return (x, y, z) => {
      around.center.set(x, y, z);
      return frustum.intersectsSphere(around);
    };
  }

  /** Pixels that a metre has on screen at a point; 0 behind the camera. */
  pixelsPerMetre() {
    const e = this.camera.matrixWorldInverse.elements;
    const scale = 0.5 * this.size.height * this.camera.projectionMatrix.elements[5];
    return (x, y, z) => {
      const depth = -(e[2] * x + e[6] * y + e[10] * z + e[14]);
      return depth > 0 ? scale / depth : 0;
    };
  }

  /** Screen position {x, y} in CSS pixels of the page, or null behind the camera. */
  project(x, y, z) {
    const point = new THREE.Vector3(x, y, z).project(this.camera);
    if (point.z > 1) return null;
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + 0.5 * (1 + point.x) * box.width, y: box.top + 0.5 * (1 - point.y) * box.height };
  }
}
