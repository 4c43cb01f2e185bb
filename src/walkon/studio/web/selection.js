// What is selected: people (by number) and obstacles (by name).

export class Selection {
  constructor(crowd) {
    this.people = crowd.selected;
    this.obstacles = new Set();
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener(this);
  }

  get isEmpty() {
    return !this.people.size && !this.obstacles.size;
  }

  clear() {
    this.people.clear();
    this.obstacles.clear();
    this.changed();
  }

  /** Select these; `adding` keeps what is selected, and a second click on one thing takes it out again. */
  pick({ people = [], obstacles = [] }, adding = false) {
    if (!adding) {
      this.people.clear();
      this.obstacles.clear();
    }
    const single = people.length + obstacles.length === 1;
    for (const [set, items] of [[this.people, people], [this.obstacles, obstacles]]) {
      for (const item of items) {
        if (adding && single && set.has(item)) set.delete(item);
        else set.add(item);
      }
    }
    this.changed();
  }

  /** Forget what is no longer there. */
  keepOnly(names) {
    const gone = [...this.obstacles].filter((name) => !names.has(name));
    for (const name of gone) this.obstacles.delete(name);
    this.changed();
  }
}
