// Keyboard shortcuts: one table, for the keys themselves and for the page that `?` shows.

/** [[section, [[what it does, keys shown, key, action, {ctrl, shift}]]]] */
export function shortcuts(app) {
  const { actions, toolbox, overlays } = app;
  const toolKeys = toolbox.tools.map((tool) => [
    tool.title, tool.key.toUpperCase(), tool.key, () => toolbox.choose(tool.name),
  ]);
  const overlayKeys = overlays.kinds.map((kind, i) => [
    overlays.words[kind], `${i + 1}`, `${i + 1}`, () => overlays.toggle(kind),
  ]);
  return [
    ["Look", [
      ["turn", "drag"], ["move", "right-drag"], ["closer, farther", "wheel"],
      ["whole scene", "Home", "home", actions.lookAtAll],
      ["look at the selection", "H", "h", actions.lookAtSelection],
    ]],
    ["Time", [
      ["pause, go on", "Space", " ", actions.togglePlay],
      ["one frame on", ".", ".", () => actions.step(1)],
      ["one frame back, on", "← →", "arrowleft", () => actions.step(-1)],
      ["", "", "arrowright", () => actions.step(1)],
      ["slower, faster", "[ ]", "[", () => actions.changeSpeed(-1)],
      ["", "", "]", () => actions.changeSpeed(1)],
      ["back to live", "L", "l", actions.goLive],
    ]],
    ["Select", [
      ["select; drag to move", "click"], ["add to it", "Shift click"], ["box", "Shift drag"],
      ["everybody", "Ctrl A", "a", actions.selectAll, { ctrl: true }],
      ["give a goal", "right-click"],
      ["turn an obstacle", "R, Shift R", "r", () => actions.turn(1)],
      ["", "", "r", () => actions.turn(-1), { shift: true }],
      ["delete", "Del", "delete", actions.remove],
      ["", "", "backspace", actions.remove],
      ["let go", "Esc", "escape", () => toolbox.escape()],
    ]],
    ["Tools", toolKeys],
    ["Show", overlayKeys],
    ["Work", [
      ["undo", "Ctrl Z", "z", actions.undo, { ctrl: true }],
      ["redo", "Ctrl Shift Z", "z", actions.redo, { ctrl: true, shift: true }],
      ["", "", "y", actions.redo, { ctrl: true }],
      ["save", "Ctrl S", "s", app.files.save, { ctrl: true }],
      ["open", "Ctrl O", "o", app.files.open, { ctrl: true }],
      ["end a wall or a way", "Enter", "enter", () => toolbox.current.enter?.()],
      ["these shortcuts", "?", "?", app.help],
    ]],
  ];
}

const PLAIN = { ctrl: false, shift: false };

export function listen(app) {
  const bound = new Map();
  for (const [, entries] of shortcuts(app)) {
    for (const [, , key, action, modifiers] of entries) {
      if (key) bound.set(chord(key, { ...PLAIN, ...modifiers }), action);
    }
  }
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || isTyping(event)) return;
    // Where shift is needed to type a sign at all, it says nothing.
    const signs = event.key.length === 1 && event.key.toLowerCase() === event.key.toUpperCase() && event.key !== " ";
    const found = bound.get(chord(event.key.toLowerCase(), {
      ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey && !signs,
    }));
    // Space and Enter belong to a button that has the focus.
    if (!found || (event.target.closest("button") && [" ", "Enter"].includes(event.key))) return;
    event.preventDefault();
    found();
  });
}

function chord(key, { ctrl, shift }) {
  return `${ctrl ? "ctrl " : ""}${shift ? "shift " : ""}${key}`;
}

/** Whether a field wants the key for itself; a slider wants only those that move it. */
function isTyping({ target, key }) {
  if (target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return target.type !== "range" || /^(Arrow|Page)|^(Home|End)$/.test(key);
}
