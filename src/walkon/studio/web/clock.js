// Which frame is shown. The server's clock arrives four times a second; in between we run on our own and steer
// gently towards it. A little behind it, so that commits have arrived before they are needed.

const DELAY = 2; // [frames] behind the server
const CATCH_UP = 2; // share of a difference that is made up for per second
const AHEAD = 0.6; // [s] that the picture runs on when the server falls silent

export class Clock {
  constructor() {
    this.fps = 30;
    this.shown = 0; // frame on screen, with fraction
    this.server = 0; // latest frame the server has told us about
    this.heard = 0; // performance.now() when it did
    this.running = false; // whether the engine runs
    this.asked = 0; // requests to run or to stop that are not answered yet
    this.wanted = null; // what the last of them asked for, until the server says what came of it
    this.speed = 1;
    this.mode = "live"; // or "past": looking back in a live session, or "take": playing a finished take
    this.replaying = false; // in the past and in takes: whether time passes
    this.takeFrames = 0;
  }

  hear(frame, now) {
    this.server = frame;
    this.heard = now;
  }

  /** The engine was asked to run or to stop: what the server says before it has answered is of before. */
  ask(running, answered) {
    this.wanted = running;
    this.asked += 1;
    answered.finally(() => { this.asked -= 1; });
  }

  /** The server says whether the engine runs. */
  told(running) {
    if (this.asked) return;
    this.running = running;
    this.wanted = null;
  }

  /** Whether the engine runs, or will as soon as it hears of what was asked. */
  get willRun() {
    return this.wanted ?? this.running;
  }

  /** The last frame there is to look at. */
  get last() {
    return this.mode === "take" ? this.takeFrames : this.server;
  }

  get moving() {
    return this.mode === "live" ? this.running : this.replaying;
  }

  tick(seconds, now) {
    const step = seconds * this.fps * this.speed;
    if (this.mode === "live") this.follow(seconds, step, now);
    else if (this.replaying) {
      this.shown = Math.min(this.shown + step, this.last);
      if (this.shown >= this.last) this.replaying = false;
    }
  }

  follow(seconds, step, now) {
    if (!this.running) {
      // One frame ahead of a paused engine: who was added or moved meanwhile begins there.
      this.shown = this.server + 1;
      return;
    }
    const since = Math.min((now - this.heard) / 1000, AHEAD);
    const target = Math.max(0, this.server + since * this.fps * this.speed - DELAY * Math.max(1, this.speed));
    this.shown += step;
    const behind = target - this.shown;
    // After a pause, a jump or a hidden tab there is nothing to steer: be there.
    if (Math.abs(behind) > this.fps * Math.max(1, this.speed)) this.shown = target;
    else this.shown += behind * Math.min(1, CATCH_UP * seconds);
  }

  /** Look at a frame of the past (or of the take). */
  seek(frame) {
    this.shown = Math.min(Math.max(0, frame), this.last);
    if (this.mode === "live") this.mode = "past";
  }

  goLive() {
    if (this.mode === "take") return;
    this.mode = "live";
    this.replaying = false;
    this.shown = this.server;
  }
}
