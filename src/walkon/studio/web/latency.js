// How long an edit takes to come back as motion: from letting the mouse go to the commits that answer it.

const KEPT = 500;

export class Latency {
  constructor() {
    this.open = [];
    this.samples = []; // {op, final, sent, replied, packet, answered} in ms of performance.now()
  }

  begin(op, final) {
    const watch = { op, final, sent: performance.now() };
    this.open.push(watch);
    if (this.open.length > 100) this.open.shift();
    return watch;
  }

  replied(watch) {
    watch.replied = performance.now();
  }

  /** Whether an edit that is whole, not a step of a drag, was sent less than this long [ms] ago and not answered yet. */
  isAwaited(now, limit) {
    return this.open.some(({ final, sent }) => final && now - sent < limit);
  }

  forget(watch) {
    this.open = this.open.filter((each) => each !== watch);
  }

  /**
   * Commits arrived. `packet` is the first after the edit was sent; `answered` the first after the server said that
   * the edit is done, and so the first that certainly knows of it.
   */
  packet(now) {
    this.open = this.open.filter((watch) => {
      watch.packet ??= now;
      if (watch.replied === undefined) return true;
      watch.answered = now;
      this.samples.push(watch);
      if (this.samples.length > KEPT) this.samples.shift();
      return false;
    });
  }
}
