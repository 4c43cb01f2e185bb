// What buttons and keys do. Everything that changes the scene is asked of the server; see edits.js.

import { complain, toast } from "./dom.js";
import { rounded } from "./tools/select.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

export function makeActions(app) {
  const { net, clock, edits, selection } = app;
  const ask = (op, fields) => net.request(op, fields).catch(complain);
  const run = (running) => clock.ask(running, ask(running ? "play" : "pause"));

  const selectWhere = (fits) => {
    const found = [...app.crowd.people.values()].filter((person) => person.present && fits(person));
    selection.pick({ people: found.map(({ who }) => who) });
  };

  const actions = {
    togglePlay() {
      if (clock.mode !== "live") {
        if (clock.shown >= clock.last) clock.mode === "take" ? clock.seek(0) : actions.goLive();
        clock.replaying = clock.mode !== "live" && !clock.replaying;
      } else run(!clock.willRun);
    },

    step(frames = 1) {
      if (clock.mode === "live" && frames > 0) {
        if (clock.willRun) run(false);
        ask("step", { frames });
      } else if (clock.mode === "live") actions.seek(clock.shown + frames);
      else actions.seek(Math.round(clock.shown) + frames);
    },

    /** Look at an earlier frame. The engine waits meanwhile: the present should not run away. */
    seek(frame) {
      if (clock.mode === "live" && clock.willRun) {
        run(false);
        app.resumeAfterPast = true;
      }
      clock.replaying = false;
      clock.seek(frame);
    },

    goLive() {
      if (clock.mode !== "past") return;
      clock.goLive();
      if (app.resumeAfterPast) run(true);
      app.resumeAfterPast = false;
    },

    speed(value) {
      if (clock.mode === "take") clock.speed = value;
      else ask("speed", { value });
    },

    changeSpeed(direction) {
      const nearest = SPEEDS.findIndex((value) => value >= clock.speed - 1e-6);
      actions.speed(SPEEDS[Math.min(Math.max(nearest + direction, 0), SPEEDS.length - 1)]);
    },

    planner: (name) => ask("planner", { name }),
    async bodies(level) {
      if (!(await edits.send("set_bodies", { level }))) app.header.setBodies(app.scene.bodies);
    },
    undo: () => edits.send("undo"),
    redo: () => edits.send("redo"),

    remove() {
      if (selection.isEmpty) return;
      edits.send("remove", { obstacles: [...selection.obstacles], people: [...selection.people] });
      selection.clear();
    },

    /** Send the selected people to a place; many of them get room to stand in. */
    giveGoal(ground, spread) {
      const people = [...selection.people];
      if (!people.length || !ground || app.isPast()) return;
      const wide = spread ?? (people.length > 1 ? Math.max(1, 0.8 * Math.sqrt(people.length)) : 0);
      const at = rounded({ x: ground.x, z: ground.z, spread: wide });
      edits.send("set_goal", { people, ...at }).then((reply) => {
        if (reply) toast(people.length > 1 ? `${people.length} people have a new goal.` : "A new goal.");
      });
    },

    stop() {
      if (selection.people.size) edits.send("set_goal", { people: [...selection.people] });
    },

    /** Turn selected obstacles by 15° steps, or what the tool is about to put down. */
    turn(steps) {
      if (app.toolbox.current.turn?.(steps)) return;
      for (const name of selection.obstacles) {
        const shown = app.obstacles.get(name);
        if (!shown || shown.data.track) continue;
        const { x, z, heading } = shown.place;
        const fields = rounded({ x, z, heading: heading + (steps * Math.PI) / 12 });
        edits.send("move_obstacle", { name, ...fields, final: true });
      }
    },

    selectAll: () => selectWhere(() => true),
    selectGroup: (group) => selectWhere((person) => person.group === group),

    lookAtAll: () => app.stage.frame(app.ground.bounds),

    lookAtSelection() {
      const [who] = selection.people;
      const [name] = selection.obstacles;
      const person = who === undefined ? null : app.crowd.placeOf(who);
      const place = person ?? app.obstacles.get(name)?.mesh.position;
      if (place) app.stage.focus(place.x, place.y, place.z, person ? 8 : 14);
    },
  };
  return actions;
}
