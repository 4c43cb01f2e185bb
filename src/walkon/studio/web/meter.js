// How long a picture takes us, and how many there are a second.

export class Meter {
  constructor() {
    this.last = 0;
    this.fps = 0;
    this.work = 0; // [ms] per picture, smoothed: all of it, drawing included
    this.preparing = 0; // [ms] of that until everybody is in place and drawing can begin
  }

  /** Seconds since the last picture; at most half a second, as after a hidden tab. */
  begin(now) {
    const seconds = this.last ? Math.min((now - this.last) / 1000, 0.5) : 0;
    this.last = now;
    if (seconds > 0) this.fps += 0.1 * (1 / seconds - this.fps);
    this.began = performance.now();
    return seconds;
  }

  prepared() {
    this.preparing += 0.1 * (performance.now() - this.began - this.preparing);
  }

  end() {
    this.work += 0.1 * (performance.now() - this.began - this.work);
  }
}
