// Which obstacles there were at an earlier frame: people are shown in the past, so the scene must be too.

const MOST = 5000;

export class ObstacleHistory {
  constructor() {
    this.states = []; // {frame, obstacles}, in order
  }

  clear() {
    this.states = [];
  }

  note(frame, obstacles) {
    const last = this.states[this.states.length - 1];
    if (last && last.frame >= frame) last.obstacles = obstacles; // a drag changes one frame many times
    else this.states.push({ frame, obstacles });
    if (this.states.length > MOST) this.states.shift();
  }

  at(frame) {
    let found = this.states[0];
    for (let k = this.states.length - 1; k >= 0; k -= 1) {
      if (this.states[k].frame <= frame) {
        found = this.states[k];
        break;
      }
    }
    return found?.obstacles ?? [];
  }
}
