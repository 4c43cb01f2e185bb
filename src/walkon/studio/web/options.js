// The little bar above the scene: what a tool does, and its settings. A tool's `settings` describe themselves.

import { byId, el } from "./dom.js";

/** settings: [{key, label, kind: "number", min, max, step, unit} or {kind: "ways" | "choice", choices}]. */
export function showOptions(tool) {
  const bar = byId("options");
  bar.replaceChildren();
  bar.hidden = !tool.hint;
  if (!tool.hint) return;
  bar.append(el("span", { className: "hint", textContent: tool.hint }));
  for (const setting of tool.settings ?? []) {
    bar.append({ number, ways, choice }[setting.kind](tool, setting));
  }
}

function number(tool, { key, label, min, max, step, unit }) {
  const input = el("input", {
    type: "number", min, max, step, value: tool.values[key], name: key,
    oninput: () => {
      if (input.value !== "" && input.checkValidity()) tool.values[key] = Number(input.value);
      tool.changed?.();
    },
  });
  return el("label", {}, label, input, unit ?? "");
}

function choice(tool, { key, label, choices }) {
  const select = el("select", { name: key, onchange: () => { tool.values[key] = select.value; tool.changed?.(); } },
    ...Object.entries(choices).map(([value, text]) => el("option", { value, textContent: text })));
  select.value = tool.values[key];
  return el("label", {}, label, select);
}

/** Several of several: buttons that stay down. */
function ways(tool, { key, choices }) {
  const group = el("span", { className: "checks" });
  for (const [value, text] of Object.entries(choices)) {
    const button = el("button", {
      textContent: text, "aria-pressed": String(tool.values[key].includes(value)),
      onclick: () => {
        const chosen = new Set(tool.values[key]);
        if (chosen.has(value) && chosen.size > 1) chosen.delete(value);
        else chosen.add(value);
        tool.values[key] = [...chosen];
        button.setAttribute("aria-pressed", String(chosen.has(value)));
        tool.changed?.();
      },
    });
    group.append(button);
  }
  return group;
}
