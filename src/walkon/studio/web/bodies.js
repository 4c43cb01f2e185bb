// Drawing people: one draw call per performer and level of detail, however many people. The matrices of all frames
// of all clips lie in a texture; the vertex shader picks the two rows around the time and blends them.

import * as THREE from "three";
import { WARDROBES, wardrobeTexture } from "./outfits.js";

const FLOATS = 8; // per person: x, z, heading, ground height; row, wardrobe, selected, and one to spare
export const ACCENT = 0x2f7da3;

// Bodies taller than this on screen [pixels] get the next finer level.
const LEVEL_PIXELS = [210, 64, 26];

const POSE = /* glsl */ `
  attribute vec4 bones;
  attribute vec4 shares;
  attribute float part;
  attribute vec4 place;
  attribute vec4 look;
  uniform highp sampler2D rows;
  uniform highp sampler2D wardrobe;
  uniform int jointCount;
  varying vec3 vTint;
  varying float vSelected;

  vec4 cell(int index) {
    int width = textureSize(rows, 0).x;
    return texelFetch(rows, ivec2(index % width, index / width), 0);
  }

  // Adds one bone's share of the pose: three rows of its matrix, between two frames.
  void addBone(int row, float between, int bone, float share, inout vec4 mx, inout vec4 my, inout vec4 mz) {
    if (share <= 0.0) return;
    int here = (row * jointCount + bone) * 3;
    int next = here + (between > 0.0 ? jointCount * 3 : 0);
    mx += share * mix(cell(here), cell(next), between);
    my += share * mix(cell(here + 1), cell(next + 1), between);
    mz += share * mix(cell(here + 2), cell(next + 2), between);
  }

  // As walkon.rotations.Placement: heading 0 looks along +z, pi/2 along +x.
  vec3 turned(vec3 v, float heading) {
    float c = cos(heading), s = sin(heading);
    return vec3(v.x * c + v.z * s, v.y, v.z * c - v.x * s);
  }

  void pose(inout vec3 point, inout vec3 direction) {
    int row = int(floor(look.x));
    float between = look.x - float(row);
    vec4 mx = vec4(0.0), my = vec4(0.0), mz = vec4(0.0);
    for (int k = 0; k < 4; k++) addBone(row, between, int(bones[k] + 0.5), shares[k], mx, my, mz);
    vec4 from = vec4(point, 1.0);
    point = turned(vec3(dot(mx, from), dot(my, from), dot(mz, from)), place.z) + vec3(place.x, place.w, place.y);
    direction = turned(vec3(dot(mx.xyz, direction), dot(my.xyz, direction), dot(mz.xyz, direction)), place.z);
    vTint = texelFetch(wardrobe, ivec2(int(part + 0.5), int(look.y + 0.5)), 0).rgb;
    vSelected = look.z;
  }
`;

function patch(material, motion, palette, coloured) {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.rows = { value: motion.texture };
    shader.uniforms.jointCount = { value: motion.joints };
    shader.uniforms.wardrobe = { value: palette };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${POSE}`)
      .replace("void main() {", "void main() {\n  vec3 posed = position; vec3 facing = normal; pose(posed, facing);")
      .replace("#include <beginnormal_vertex>", "vec3 objectNormal = facing;")
      .replace("#include <begin_vertex>", "vec3 transformed = posed;");
    if (!coloured) return;
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vTint;\nvarying float vSelected;")
      .replace(
        "#include <color_fragment>",
        "diffuseColor.rgb = mix(vTint, vec3(0.03, 0.26, 0.46), 0.55 * vSelected);",
      );
  };
  return material;
}

/** All people of one performer at one level of detail. */
class Draw {
  constructor(motion, level, palette) {
    const body = motion.levels[level];
    this.geometry = new THREE.InstancedBufferGeometry();
    const set = (name, array, size, normalized = false) =>
      this.geometry.setAttribute(name, new THREE.BufferAttribute(array, size, normalized));
    set("position", body.positions, 3);
    set("normal", body.normals, 3);
    set("bones", body.bones, 4);
    set("shares", body.weights, 4, true);
    set("part", body.parts, 1);
    this.geometry.setIndex(new THREE.BufferAttribute(body.indices, 1));
    this.mesh = new THREE.Mesh(
      this.geometry,
      patch(new THREE.MeshLambertMaterial(), motion, palette, true),
    );
    this.mesh.customDepthMaterial = patch(new THREE.MeshDepthMaterial(), motion, palette, false);
    // Where people stand is known to the shader only, so three.js cannot cull; `update` leaves out who is not seen.
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.reserve(64);
  }

  reserve(capacity) {
    this.capacity = capacity;
    this.data = new Float32Array(FLOATS * capacity);
    this.buffer = new THREE.InstancedInterleavedBuffer(this.data, FLOATS).setUsage(THREE.DynamicDrawUsage);
    this.geometry.setAttribute("place", new THREE.InterleavedBufferAttribute(this.buffer, 4, 0));
    this.geometry.setAttribute("look", new THREE.InterleavedBufferAttribute(this.buffer, 4, 4));
    // three.js remembers how many people the old buffer held.
    delete this.geometry._maxInstanceCount;
  }

  finish(count) {
    this.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, FLOATS * count);
    this.buffer.needsUpdate = true;
  }
}

function levelFor(pixels) {
  let level = 0;
  while (level < LEVEL_PIXELS.length && pixels < LEVEL_PIXELS[level]) level += 1;
  return level;
}

export class Bodies {
  /** thrifty: far people cast no shadow; the spot under their feet has to do. */
  constructor(group, thrifty = false) {
    this.group = group;
    this.thrifty = thrifty;
    this.palette = wardrobeTexture();
    this.performers = [];
  }

  /** Let go of all performers but those for whom `stays(index)`. */
  keep(stays) {
    this.performers = Array.from(this.performers, (draws, index) => {
      if (stays(index)) return draws;
      for (const { mesh, geometry } of draws ?? []) {
        this.group.remove(mesh);
        geometry.dispose();
        mesh.material.dispose();
        mesh.customDepthMaterial.dispose();
      }
      return undefined;
    });
  }

  setPerformer(index, motion) {
    const draws = motion.levels.map((_, level) => new Draw(motion, level, this.palette));
    for (const { mesh } of draws) this.group.add(mesh);
    for (const { mesh } of this.thrifty ? draws.slice(2) : []) mesh.castShadow = false;
    this.performers[index] = draws;
  }

  /**
   * Put everybody in place. `seen` is crowd.js's table of who is where; `pixelsAt(x, y, z)` says how many pixels a
   * metre has on screen there; `isSeen(x, y, z)`, whether a body there can be seen at all: if not, it is left out.
   */
  update(seen, pixelsAt, isSeen) {
    const counts = Array.from(this.performers, (draws) => (draws ?? []).map(() => 0));
    for (let i = 0; i < seen.count; i += 1) {
      const draws = this.performers[seen.performer[i]];
      if (!draws) continue; // its motion is still on the way
      if (!isSeen(seen.x[i], seen.ground[i], seen.z[i])) continue;
      const tall = 1.7 * pixelsAt(seen.x[i], seen.ground[i], seen.z[i]);
      const level = levelFor(tall);
      const draw = draws[level];
      const at = FLOATS * counts[seen.performer[i]][level]++;
      if (at >= draw.data.length) this.grow(draw);
      const { data } = draw;
      data[at] = seen.entryX[i];
      data[at + 1] = seen.entryZ[i];
      data[at + 2] = seen.entryHeading[i];
      data[at + 3] = seen.ground[i];
      data[at + 4] = seen.row[i];
      data[at + 5] = seen.who[i] % WARDROBES;
      data[at + 6] = seen.selected[i];
    }
    counts.forEach((levels, index) => levels.forEach((count, level) => this.performers[index][level].finish(count)));
  }

  grow(draw) {
    const old = draw.data;
    draw.reserve(2 * draw.capacity);
    draw.data.set(old);
  }
}
