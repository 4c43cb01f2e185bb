// The connection: one websocket that comes back by itself, and requests that get their reply.

const FIRST_WAIT = 400; // [ms] before the first new attempt; doubled each time, up to LONGEST_WAIT
const LONGEST_WAIT = 4000;

// What the server means when it closes a connection, in the user's words.
const CLOSE_REASONS = {
  4400: "the server did not understand a message from this page; reload it",
  4401: "the token in the address is missing or used up; open the address that `walkon studio` printed",
  4403: "this page was not opened from the studio's own address",
  4408: "this window was too slow to follow and was disconnected",
  4409: "a message was too large for the server",
  4429: "too many messages in a short time",
};
// Trying again cannot help with these.
const FINAL_CODES = new Set([4401, 4403]);

export class Connection {
  constructor() {
    this.state = "connecting";
    this.reason = "";
    this.handlers = new Map();
    this.waiting = new Map(); // request id -> {resolve, reject}
    this.nextId = 1;
    this.wait = FIRST_WAIT;
    this.timer = 0;
  }

  /** Call `handler` for every message of this type; "packet" and "state" are types too. */
  on(type, handler) {
    if (!this.handlers.has(type)) this.handlers.set(type, []);
    this.handlers.get(type).push(handler);
    return this;
  }

  emit(type, detail) {
    for (const handler of this.handlers.get(type) ?? []) handler(detail);
  }

  open() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/live`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { this.wait = FIRST_WAIT; };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => { if (socket === this.socket) this.lost(event); };
    this.socket = socket;
  }

  receive(data) {
    if (typeof data !== "string") {
      this.emit("packet", data);
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "hello") this.become("open", "");
    if (message.type === "reply") this.settle(message);
    else this.emit(message.type, message);
  }

  /** Send a request; the promise resolves with the reply and rejects with the server's own words. */
  request(op, fields = {}) {
    if (this.state !== "open") return Promise.reject(new Error("not connected; nothing was changed"));
    const id = this.nextId++;
    this.socket.send(JSON.stringify({ op, id, ...fields }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  settle(reply) {
    const request = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (!request) {
      if (!reply.ok) this.emit("problem", reply);
    } else if (reply.ok) request.resolve(reply);
    else request.reject(new Error(reply.error ?? "the server refused"));
  }

  lost(event) {
    for (const { reject } of this.waiting.values()) reject(new Error("the connection was lost"));
    this.waiting.clear();
    const reason = event.reason || CLOSE_REASONS[event.code] || "";
    if (FINAL_CODES.has(event.code)) {
      this.become("refused", CLOSE_REASONS[event.code]);
      return;
    }
    this.become("lost", reason);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  become(state, reason) {
    this.state = state;
    this.reason = reason;
    this.emit("state", { state, reason });
  }
}
