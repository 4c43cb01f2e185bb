// How much a picture may cost. Starts at the best; where pictures come too slowly it gives up sharpness step by step.

// Share of the screen's pixels per axis, and how many pictures share one shadow map.
const LEVELS = [
  { pixels: 1, shadowEvery: 1 },
  { pixels: 0.75, shadowEvery: 1 },
  { pixels: 0.6, shadowEvery: 2 },
  { pixels: 0.45, shadowEvery: 4 },
];
const TOO_SLOW = 1 / 22; // [s] per picture
const PATIENCE = 1.5; // [s] of slow pictures before anything is given up

export class Quality {
  constructor() {
    // For pictures of the studio itself: the best, however long it takes.
    this.fixed = location.hash === "#best";
    this.slow = !this.fixed && drawsWithoutGpu();
    this.level = this.slow ? LEVELS.length - 1 : 0;
    this.late = 0;
  }

  get smooth() {
    return !this.slow;
  }

  /** Texels per side of the shadow map. */
  get shadowTexels() {
    return this.slow ? 1024 : 2048;
  }

  get pixels() {
    return LEVELS[this.level].pixels;
  }

  get shadowEvery() {
    return LEVELS[this.level].shadowEvery;
  }

  /** Told how long the last picture took; true if the level has changed. */
  judge(seconds) {
    if (this.fixed || this.level === LEVELS.length - 1) return false;
    this.late = seconds > TOO_SLOW ? this.late + seconds : Math.max(0, this.late - 2 * seconds);
    if (this.late < PATIENCE) return false;
    this.late = 0;
    this.level += 1;
    return true;
  }
}

/** Browsers refuse this kind of context where the processor has to draw; told to do so, they only admit it. */
function drawsWithoutGpu() {
  const probe = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!probe) return true;
  const names = probe.getExtension("WEBGL_debug_renderer_info");
  const name = names ? probe.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(name);
}
