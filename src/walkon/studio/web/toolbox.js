// Which tool the pointer holds. A tool that wants a press keeps it; what no tool wants turns the camera.

import { byId, el, icon } from "./dom.js";
import { showOptions } from "./options.js";

const CLICK = 5; // [pixels] that a hand shakes

export class Toolbox {
  constructor(app, tools) {
    this.app = app;
    this.tools = tools;
    this.current = tools[0];
    this.buttons = new Map();
    this.press = null;
    this.fill(byId("tools"));
    const { canvas } = app.stage;
    // Before the camera's own listeners, so that it can be held still.
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("dblclick", (event) => this.current.double?.(this.touch(event)));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    this.choose(tools[0].name);
  }

  fill(bar) {
    this.tools.forEach((tool) => {
      if (tool.separated) bar.append(el("hr"));
      const button = el("button", {
        title: `${tool.title} (${tool.key.toUpperCase()})`, "aria-pressed": "false", data: { tool: tool.name },
        onclick: () => this.choose(tool.name),
      }, icon(tool.name, tool.picture), tool.label);
      this.buttons.set(tool.name, button);
      bar.append(button);
    });
  }

  choose(name) {
    this.current.cancel?.();
    this.current = this.tools.find((tool) => tool.name === name) ?? this.tools[0];
    for (const [key, button] of this.buttons) button.setAttribute("aria-pressed", String(key === this.current.name));
    this.app.stage.canvas.style.cursor = this.current.cursor ?? "default";
    showOptions(this.current);
    this.current.begin?.();
  }

  touch(event) {
    return {
      x: event.clientX, y: event.clientY, shift: event.shiftKey, alt: event.altKey, button: event.button,
      ground: this.app.picking.groundAt(event.clientX, event.clientY),
    };
  }

  down(event) {
    const touch = this.touch(event);
    this.press = { x: touch.x, y: touch.y, moved: false, button: event.button, claimed: false };
    // Looking at the past: the scene there cannot be changed, but selecting is fine.
    if (event.button === 0) this.press.claimed = Boolean(this.current.down?.(touch));
    this.app.stage.controls.enabled = !this.press.claimed;
    if (this.press.claimed) this.app.stage.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    const touch = this.touch(event);
    if (this.press && Math.hypot(touch.x - this.press.x, touch.y - this.press.y) > CLICK) this.press.moved = true;
    if (this.press && !this.press.claimed) return;
    this.current.move?.(touch, this.press);
  }

  up(event) {
    const { press } = this;
    if (!press) return;
    this.press = null;
    const touch = this.touch(event);
    if (press.claimed) this.current.up?.(touch, press);
    else if (!press.moved && press.button === 2) this.app.actions.giveGoal(touch.ground);
    else if (!press.moved && press.button === 0) this.current.click?.(touch);
    this.app.stage.controls.enabled = true;
  }

  cancel() {
    this.press = null;
    this.current.cancel?.();
    this.app.stage.controls.enabled = true;
  }

  /** Escape: first the tool's own unfinished work, then the tool, then the selection. */
  escape() {
    if (this.current.cancel?.()) return;
    if (this.current.name !== "select") this.choose("select");
    else this.app.selection.clear();
  }
}
