// When a picture is worth drawing: always while something moves, now and then while nothing does.

const LINGER = 800; // [ms] that a touch of the mouse or a message keeps pictures coming
const IDLE = 250; // [ms] between pictures of a scene in which nothing happens
const WITHOUT_GPU = 90; // [ms] between pictures where the processor draws: it has the crowd to plan, too

export class Pace {
  constructor(app) {
    this.app = app;
    this.woken = 0;
    this.drawn = -Infinity;
    const wake = () => { this.woken = performance.now(); };
    for (const type of ["pointermove", "pointerdown", "wheel", "keydown", "resize"]) {
      window.addEventListener(type, wake, { passive: true, capture: true });
    }
    for (const type of ["packet", "scene", "overlay", "hello", "people"]) app.net.on(type, wake);
    app.selection.onChange(wake);
  }

  isDue(now) {
    const { clock, stage, meter } = this.app;
    const busy = clock.moving || now - this.woken < LINGER;
    const apart = busy ? (stage.quality.slow ? Math.max(WITHOUT_GPU, 1.5 * meter.work) : 0) : IDLE;
    if (now - this.drawn < apart) return false;
    this.drawn = now;
    return true;
  }
}
