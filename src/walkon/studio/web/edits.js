// Edits on their way to the server. A drag sends its latest place ten times a second, and a last word at the end.

import { complain } from "./dom.js";

const DRAG_INTERVAL = 100; // [ms]

export class Edits {
  constructor(net, latency) {
    this.net = net;
    this.latency = latency;
    this.drags = new Map(); // what is dragged -> {at, timer, fields}
  }

  /** Ask for an edit; errors are shown. Resolves with the reply, or null if it was refused. */
  async send(op, fields = {}) {
    const watch = this.latency.begin(op, fields.final !== false);
    try {
      const reply = await this.net.request(op, fields);
      this.latency.replied(watch);
      return reply;
    } catch (error) {
      this.latency.forget(watch);
      complain(error);
      return null;
    }
  }

  /** A step of a drag of `key`. Between two sendings only the newest place is kept. */
  drag(key, op, fields) {
    const drag = this.drags.get(key) ?? { at: -Infinity, timer: 0 };
    drag.fields = fields;
    this.drags.set(key, drag);
    if (drag.timer) return;
    const wait = Math.max(0, drag.at + DRAG_INTERVAL - performance.now());
    drag.timer = setTimeout(() => {
      drag.timer = 0;
      drag.at = performance.now();
      this.send(op, { ...drag.fields, final: false });
    }, wait);
  }

  /** The end of a drag. */
  drop(key, op, fields) {
    clearTimeout(this.drags.get(key)?.timer);
    this.drags.delete(key);
    return this.send(op, { ...fields, final: true });
  }
}
