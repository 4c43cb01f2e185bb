// Making page elements without markup in strings: nothing that a server or a file says can become HTML.

/** An element: `properties` are DOM properties, `on...` handlers, or attributes if they hold a dash. */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.includes("-")) node.setAttribute(name, value);
    else if (name === "data") Object.assign(node.dataset, value);
    else node[name] = value;
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const byId = (id) => document.getElementById(id);

// 24 x 24 outlines, drawn for this page.
const PATHS = {
  select: "M6 4l12 7-5.2 1.6L10 18z",
  goal: "M7 21V4M7 4.5h10l-2.6 3.5L17 11.5H7",
  people: "M9 8.2a2.7 2.7 0 1 0 0-.1M3.8 20c.3-5 2-7.5 5.2-7.5s4.900 2.500 5.200 7.500M18 6v6M15 9h6",
  box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  cylinder: "M5 6.500c0-3.300 14-3.300 14 0v11c0 3.300-14 3.300-14 0zM5 6.500c0 3.300 14 3.300 14 0",
  special: "M3 17h18M5 17v-4M19 17v-4M6 11c2-6 10-6 12 0M18 11l.6-3M18 11l-3-.8",
  wall: "M3 17l6-9 6 5 6-8M3 21l6-9 6 5 6-8",
  mover: "M4 14h7v6H4zM13 17c5 0 7-2 7-6s-3-6-8-6M12 5l2.600-2.300M12 5l2.600 2.300",
  flow: "M3 5h6v6H3zM15 13h6v6h-6zM10.500 9.500l4 4M14.500 10.500v3h-3",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5l9 7-9 7zM18.500 5v14",
  back: "M18 5l-9 7 9 7zM5.500 5v14",
};

export function icon(name, picture = PATHS[name]) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", picture);
  svg.append(path);
  return svg;
}

export function toast(text, kind = "good") {
  const box = byId("toasts");
  const last = box.lastElementChild;
  if (last?.textContent === text) return; // a drag that is refused says so once
  const node = el("div", { className: `toast ${kind}`, textContent: text });
  box.append(node);
  while (box.children.length > 4) box.firstElementChild.remove();
  setTimeout(() => node.remove(), kind === "bad" ? 8000 : 3500);
}

/** Show an error in the user's words. */
export function complain(error) {
  toast(error.message ?? String(error), "bad");
}
