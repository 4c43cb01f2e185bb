// What people wear: muted colours, evenly bright, the same as in walkon's films.

import * as THREE from "three";

const SHIRTS = [
  [226, 109, 90], [61, 133, 168], [233, 179, 76], [91, 156, 120], [135, 110, 176], [214, 132, 158],
  [74, 98, 148], [190, 196, 204], [160, 82, 73], [120, 178, 184], [238, 226, 204], [104, 120, 84],
];
const TROUSERS = [[62, 72, 92], [84, 84, 92], [118, 106, 92], [52, 58, 68], [88, 104, 128]];
const SKINS = [[236, 196, 170], [205, 156, 122], [150, 103, 76], [112, 76, 58], [224, 178, 146]];
const SHOES = [[58, 56, 60], [104, 76, 60], [226, 224, 220]];

export const WARDROBES = 60;

/** A texture of 4 x WARDROBES texels: shirt, trousers, skin and shoes (linear) of one wardrobe a row. */
export function wardrobeTexture() {
  const data = new Float32Array(16 * WARDROBES);
  for (let index = 0; index < WARDROBES; index += 1) {
    // Strides without a common factor: neighbours in number share as little as possible.
    const worn = [
      SHIRTS[index % SHIRTS.length],
      TROUSERS[(index * 3 + Math.floor(index / 12)) % TROUSERS.length],
      SKINS[(index * 2 + Math.floor(index / 5)) % SKINS.length],
      SHOES[(index + Math.floor(index / 3)) % SHOES.length],
    ];
    worn.forEach((rgb, part) => {
      const colour = new THREE.Color().setRGB(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255, THREE.SRGBColorSpace);
      data.set([colour.r, colour.g, colour.b, 1], 16 * index + 4 * part);
    });
  }
  const texture = new THREE.DataTexture(data, 4, WARDROBES, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

/** The colour a person is known by, as a CSS string. */
export function shirtOf(who) {
  return `rgb(${SHIRTS[who % WARDROBES % SHIRTS.length].join(" ")})`;
}
