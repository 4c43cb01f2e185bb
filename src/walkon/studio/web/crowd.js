// Who is where: keeps every commit that arrived, and answers for any frame, now or past.

export class Crowd {
  constructor() {
    this.people = new Map(); // who -> Person
    this.clips = []; // clip number -> {row, duration, performer, behavior, kind}
    this.motions = []; // performer -> motion.js's result, once loaded
    this.groundAt = () => 0;
    this.selected = new Set();
    this.seen = table(256);
  }

  clear() {
    this.people.clear();
    this.selected.clear();
  }

  setPerformers(performers) {
    this.clips = [];
    performers.forEach(({ clips, first_clip: first }, performer) => {
      clips.forEach((clip, i) => {
        const { first_row: row, duration, behavior, kind } = clip;
        this.clips[first + i] = { row, duration, performer, behavior, kind };
      });
    });
  }

  person(who) {
    if (!this.people.has(who)) this.people.set(who, new Person(who));
    return this.people.get(who);
  }

  /** What the scene says about people: names and goals. Who is not in the list any more has left at `frame`. */
  describe(list, frame) {
    const present = new Set();
    for (const info of list) {
      present.add(info.who);
      this.person(info.who).tell(info);
    }
    for (const person of this.people.values()) if (!present.has(person.who)) person.leave(frame);
    this.forgetSelection();
  }

  join(list) {
    for (const info of list) this.person(info.who).tell(info);
  }

  leave(whos, frame) {
    for (const who of whos) this.people.get(who)?.leave(frame);
    this.forgetSelection();
  }

  forgetSelection() {
    for (const who of this.selected) if (!this.people.get(who)?.present) this.selected.delete(who);
  }

  /** Take in a packet: from the first frame of a commit on, its segments replace whatever was to be played. */
  commit({ who, starts, clips, frames, placements }, whole) {
    for (let m = 0; m < who.length; m += 1) {
      const person = this.person(who[m]);
      if (whole) person.forget();
      for (let s = starts[m]; s < starts[m + 1]; s += 1) {
        if (s === starts[m]) person.cut(frames[s]);
        person.push(clips[s], frames[s], placements, 3 * s);
      }
    }
  }

  /** Fill `seen` with everybody who is there at this frame. */
  look(frame) {
    if (this.seen.who.length < this.people.size) this.seen = table(2 * this.people.size);
    const { seen } = this;
    let count = 0;
    for (const person of this.people.values()) {
      const s = person.at(frame);
      if (s < 0) continue;
      const clip = this.clips[person.clips[s]];
      if (!clip) continue;
      // Until the next commit arrives the last frame of the last clip is held.
      const row = clip.row + Math.min(Math.max(frame - person.frames[s], 0), clip.duration);
      const x = person.places[3 * s];
      const z = person.places[3 * s + 1];
      const heading = person.places[3 * s + 2];
      seen.who[count] = person.who;
      seen.performer[count] = clip.performer;
      seen.row[count] = row;
      seen.entryX[count] = x;
      seen.entryZ[count] = z;
      seen.entryHeading[count] = heading;
      this.standing(seen, count, clip.performer, row, x, z, heading);
      seen.ground[count] = this.groundAt(seen.x[count], seen.z[count]);
      seen.selected[count] = this.selected.has(person.who) ? 1 : 0;
      person.index = count;
      count += 1;
    }
    seen.count = count;
    return seen;
  }

  /** Where the body itself is: the clip's root, seen from where the clip began. */
  standing(seen, i, performer, row, x, z, heading) {
    const roots = this.motions[performer]?.roots;
    if (!roots) {
      seen.x[i] = x;
      seen.z[i] = z;
      seen.heading[i] = heading;
      return;
    }
    const at = 3 * Math.round(row);
    const c = Math.cos(heading);
    const s = Math.sin(heading);
    seen.x[i] = x + roots[at] * c + roots[at + 1] * s;
    seen.z[i] = z - roots[at] * s + roots[at + 1] * c;
    seen.heading[i] = heading + roots[at + 2];
  }

  /** {x, y, z, heading} of somebody on screen, or null. */
  placeOf(who) {
    const person = this.people.get(who);
    const { seen } = this;
    if (!person || person.index >= seen.count || seen.who[person.index] !== who) return null;
    const i = person.index;
    return { x: seen.x[i], y: seen.ground[i], z: seen.z[i], heading: seen.heading[i] };
  }

  /** What somebody does at a frame: the name of the behavior. */
  doing(who, frame) {
    const person = this.people.get(who);
    const s = person ? person.at(frame) : -1;
    return s < 0 ? "" : this.clips[person.clips[s]]?.behavior ?? "";
  }

  /** How many are there now (not: at the frame shown). */
  get size() {
    let count = 0;
    for (const person of this.people.values()) count += person.present ? 1 : 0;
    return count;
  }
}

class Person {
  constructor(who) {
    this.who = who;
    this.name = `person ${who}`;
    this.goal = null;
    this.group = null;
    this.left = Infinity; // frame in which it was taken away
    this.index = 0; // into crowd.seen, while it is seen
    this.forget();
  }

  forget() {
    this.clips = [];
    this.frames = [];
    this.places = [];
    this.cursor = 0;
  }

  get present() {
    return this.left === Infinity;
  }

  /** left: in takes, the frame after which somebody is gone. */
  tell({ name, goal, group, left }) {
    this.name = name ?? this.name;
    this.goal = goal ?? null;
    this.group = group ?? null;
    this.left = left ?? Infinity;
  }

  leave(frame) {
    if (this.present) this.left = frame;
  }

  /** Drop the segments that begin at `frame` or later: they have been replaced before they were played. */
  cut(frame) {
    let keep = this.frames.length;
    while (keep > 0 && this.frames[keep - 1] >= frame) keep -= 1;
    this.frames.length = keep;
    this.clips.length = keep;
    this.places.length = 3 * keep;
    this.cursor = Math.min(this.cursor, Math.max(0, keep - 1));
  }

  push(clip, frame, placements, at) {
    this.clips.push(clip);
    this.frames.push(frame);
    this.places.push(placements[at], placements[at + 1], placements[at + 2]);
  }

  /** The segment played at this frame, or -1. Time mostly moves a little: start where we were. */
  at(frame) {
    const { frames } = this;
    if (!frames.length || frame < frames[0] || frame >= this.left) return -1;
    let s = this.cursor;
    if (Math.abs(frame - frames[s]) > 600) s = bisect(frames, frame);
    while (s + 1 < frames.length && frames[s + 1] <= frame) s += 1;
    while (frames[s] > frame) s -= 1;
    this.cursor = s;
    return s;
  }
}

function bisect(frames, frame) {
  let [low, high] = [0, frames.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (frames[middle] <= frame) low = middle;
    else high = middle;
  }
  return low;
}

function table(size) {
  const floats = () => new Float32Array(size);
  return {
    count: 0,
    who: new Uint32Array(size),
    performer: new Uint16Array(size),
    row: floats(), entryX: floats(), entryZ: floats(), entryHeading: floats(),
    x: floats(), z: floats(), heading: floats(), ground: floats(), selected: floats(),
  };
}
