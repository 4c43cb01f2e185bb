// What the server says becomes what is shown.

import { complain, toast } from "./dom.js";
import { loadMotion } from "./motion.js";
import { HISTORY, readPacket } from "./packets.js";

export function follow(app) {
  const { net, clock, crowd, bodies, ground, past, header, latency } = app;

  net.on("hello", (hello) => {
    if (hello.protocol !== 1) complain(new Error("the server is of another version; reload the page"));
    // The same scene again, after the connection was lost or new performers came: keep what the user sees.
    const again = app.ready && app.title === hello.title && app.readonly === Boolean(hello.readonly);
    const kept = again ? [[...app.selection.people], [...app.selection.obstacles]] : [[], []];
    app.title = hello.title;
    app.limits = hello.limits ?? {};
    app.readonly = Boolean(hello.readonly);
    crowd.clear();
    past.clear();
    app.audit.clear();
    clock.fps = hello.fps;
    clock.mode = "live";
    clock.told(hello.running);
    clock.speed = hello.speed ?? 1;
    clock.hear(hello.frame, performance.now());
    clock.shown = hello.frame;
    crowd.setPerformers(hello.performers);
    loadBodies(hello.performers);
    header.greet(hello);
    header.canUndo(hello.undo, hello.redo);
    takeScene(hello.scene);
    app.selection.pick({ people: kept[0].filter((who) => crowd.people.has(who)), obstacles: kept[1] });
    app.selection.keepOnly(new Set(hello.scene.obstacles.map(({ name }) => name)));
    app.overlays.setOffered(hello.overlays ?? []);
    if (!again) app.stage.frame(ground.bounds);
    app.ready = true;
  });

  /** Performers that are the same as before stay: a reconnection need not fetch them again. */
  function loadBodies(performers) {
    const keys = performers.map((performer) => JSON.stringify(performer));
    bodies.keep((index) => keys[index] !== undefined && keys[index] === app.performerKeys[index]);
    const known = app.performerKeys;
    app.performerKeys = keys;
    performers.forEach(async ({ url }, index) => {
      if (known[index] === keys[index]) return;
      crowd.motions[index] = undefined;
      try {
        const motion = await loadMotion(url);
        if (app.performerKeys[index] !== keys[index]) return; // another scene has been opened meanwhile
        crowd.motions[index] = motion;
        bodies.setPerformer(index, motion);
      } catch (error) {
        app.performerKeys[index] = "";
        complain(error);
      }
    });
  }

  function takeScene(scene) {
    app.scene = scene;
    ground.set(scene.bounds, scene.terrain);
    header.setBodies(scene.bodies);
    past.note(clock.server, scene.obstacles);
    app.obstaclesKey = null;
    if (scene.people) crowd.describe(scene.people, clock.server);
    app.selection.keepOnly(new Set(scene.obstacles.map(({ name }) => name)));
  }

  net.on("scene", ({ scene, undo, redo }) => {
    takeScene(scene);
    header.canUndo(undo, redo);
  });

  net.on("clock", ({ frame, running, speed }) => {
    clock.hear(frame, performance.now());
    clock.told(running);
    if (clock.mode !== "take") clock.speed = speed;
    if (clock.willRun && clock.mode === "past") clock.goLive(); // another window has gone on
  });

  net.on("people", ({ added, removed }) => {
    crowd.join(added ?? []);
    crowd.leave(removed ?? [], clock.server);
  });

  net.on("packet", (buffer) => {
    const now = performance.now();
    const packet = readPacket(buffer);
    app.packets.count += 1;
    app.packets.bytes += buffer.byteLength;
    app.packets.last = now;
    if (packet.kind === HISTORY) app.packets.histories += 1;
    else latency.packet(now);
    crowd.commit(packet, packet.kind === HISTORY);
    if (packet.kind !== HISTORY || clock.mode !== "take") clock.hear(packet.frame, now);
  });

  net.on("take", (message) => {
    if (clock.mode !== "take") {
      clock.mode = "take";
      clock.takeFrames = Math.max(0, message.frames - 1);
      clock.replaying = true;
      clock.shown = 0;
    }
    app.audit.set(message);
    app.panel.showTake(message);
  });

  net.on("figures", (figures) => {
    app.figures = figures;
    if (!app.readonly) app.panel.showFigures(figures);
  });
  net.on("files", ({ files }) => { app.listed = files; });
  net.on("planner", ({ name }) => header.setPlanner(name));
  net.on("problem", ({ error }) => toast(error, "bad"));
}
