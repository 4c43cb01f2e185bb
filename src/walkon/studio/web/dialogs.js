// The dialogs: shortcuts, opening and saving files.

import { byId, complain, el, toast } from "./dom.js";
import { shortcuts } from "./keys.js";

function show(title, ...content) {
  const dialog = byId("dialog");
  dialog.replaceChildren(el("div", { className: "inner" }, el("h1", { textContent: title }), ...content));
  // A click beside the dialog closes it.
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export function makeHelp(app) {
  return () => {
    const sections = shortcuts(app).map(([name, entries]) => el("section", {},
      el("h2", { textContent: name }),
      el("dl", { className: "keys" }, ...entries.filter(([what]) => what).flatMap(([what, keys]) => [
        el("dt", { textContent: what }),
        el("dd", {}, el("kbd", { textContent: keys })),
      ]))));
    const dialog = show("Keyboard and mouse", el("div", { className: "columns" }, ...sections));
    dialog.onkeydown = (event) => { if (event.key === "?") { event.preventDefault(); dialog.close(); } };
  };
}

const KINDS = {
  scene: ["the scene", "toml"], take: ["the take so far", "take"],
  glb: ["bodies as GLB", "glb"], usd: ["bodies as USD", "usda"], bvh: ["skeletons as BVH", "bvh"],
};

export function makeFiles(app) {
  const { net } = app;

  async function open() {
    let files;
    try {
      const reply = await net.request("files");
      files = reply.files ?? app.listed ?? [];
    } catch (error) {
      complain(error);
      return;
    }
    const wanted = files.filter(({ kind }) => kind === "scene" || kind === "take");
    const list = el("div", { className: "list" }, ...wanted.map(({ path, kind, bytes }) =>
      el("button", { onclick: () => { dialog.close(); load(path); } },
        path, el("span", { textContent: `${kind}, ${size(bytes)}` }))));
    const nothing = el("p", { className: "quiet", textContent: "No scenes or takes in the project folder yet." });
    const dialog = show("Open a scene or a take", wanted.length ? list : nothing);
  }

  async function load(path) {
    try {
      await net.request("open", { path });
      toast(`Opened ${path}.`);
    } catch (error) {
      complain(error);
    }
  }

  function save() {
    const stem = (app.scene?.name || "scene").replace(/[^\w-]+/g, "-");
    const what = el("select", { name: "what" }, ...Object.entries(KINDS).map(([value, [words]]) =>
      el("option", { value, textContent: words })));
    const path = el("input", {
      type: "text", name: "path", value: `${stem}.toml`, autocomplete: "off", required: true,
    });
    what.onchange = () => { path.value = `${path.value.replace(/\.\w+$/, "")}.${KINDS[what.value][1]}`; };
    const form = el("form", {
      onsubmit: (event) => {
        event.preventDefault();
        dialog.close();
        store({ what: what.value, path: path.value });
      },
    },
    el("label", {}, "Save", what), el("label", {}, "as a file in the project folder", path),
    el("div", { className: "buttons" },
      el("button", { type: "button", textContent: "Cancel", onclick: () => dialog.close() }),
      el("button", { className: "primary", textContent: "Save" })));
    const dialog = show("Save", form);
    path.select();
  }

  async function store(fields) {
    try {
      const reply = await net.request("save", fields);
      toast(`Saved ${reply.path ?? fields.path}${reply.bytes ? `, ${size(reply.bytes)}` : ""}.`);
    } catch (error) {
      if (error.message.endsWith("is there already") && !fields.overwrite) askToReplace(fields, error.message);
      else complain(error);
    }
  }

  function askToReplace(fields, message) {
    const dialog = show("Replace the file?", el("p", { className: "quiet", textContent: message }),
      el("div", { className: "buttons" },
        el("button", { textContent: "Cancel", onclick: () => dialog.close() }),
        el("button", {
          className: "danger", textContent: "Replace",
          onclick: () => { dialog.close(); store({ ...fields, overwrite: true }); },
        })));
  }

  return { open, save, load, store };
}

function size(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1048576).toFixed(1)} MB`;
}
