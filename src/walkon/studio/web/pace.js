// When a picture is worth drawing: always while something moves, now and then while nothing does.

const LINGER = 800; // [ms] that a touch of the mouse or a message keeps pictures coming
const IDLE = 250; // [ms] between pictures of a scene in which nothing happens
const WITHOUT_GPU = 90; // [ms] between pictures where the processor draws: it has the crowd to plan, too
// [ms] that a picture waits for the answer to an edit there, so that this comes sooner. With more, the page seems to
// stand still where the server is slow; with less, both work at once and the answer is late.
const HELD_BACK = 150;

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
    const { clock, stage, meter, latency } = this.app;
    if (stage.quality.slow && latency.isAwaited(now, HELD_BACK)) return false;
    const busy = clock.moving || now - this.woken < LINGER;
    const apart = busy ? (stage.quality.slow ? Math.max(WITHOUT_GPU, 1.5 * meter.work) : 0) : IDLE;
    if (now - this.drawn < apart) return false;
    this.drawn = now;
    return true;
  }
}
