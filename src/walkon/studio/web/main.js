// The studio's page: builds everything once, then draws.

import { makeActions } from "./actions.js";
import { AuditMarks } from "./audit.js";
import { Bodies } from "./bodies.js";
import { Clock } from "./clock.js";
import { Contacts } from "./contacts.js";
import { Crowd } from "./crowd.js";
import { expose } from "./debug.js";
import { makeFiles, makeHelp } from "./dialogs.js";
import { byId, complain } from "./dom.js";
import { Edits } from "./edits.js";
import { Flags } from "./flags.js";
import { Ground } from "./ground.js";
import { Header } from "./header.js";
import { ObstacleHistory } from "./history.js";
import { listen } from "./keys.js";
import { Latency } from "./latency.js";
import { Meter } from "./meter.js";
import { Connection } from "./net.js";
import { Obstacles } from "./obstacles.js";
import { Overlays } from "./overlays.js";
import { Pace } from "./pace.js";
import { Panel } from "./panel.js";
import { Picking } from "./picking.js";
import { Selection } from "./selection.js";
import { follow } from "./session.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { Toolbox } from "./toolbox.js";
import { FlowTool, GoalTool, PeopleTool } from "./tools/crowds.js";
import { MoverTool, WallTool } from "./tools/lines.js";
import { BoxTool, CylinderTool, SpecialTool } from "./tools/place.js";
import { Preview } from "./tools/preview.js";
import { SelectTool } from "./tools/select.js";

function build() {
  const packets = { count: 0, bytes: 0, last: 0, histories: 0 };
  const app = { ready: false, limits: {}, performerKeys: [], packets, pictures: 0, figures: null };
  app.net = new Connection();
  app.clock = new Clock();
  app.latency = new Latency();
  app.edits = new Edits(app.net, app.latency);
  app.meter = new Meter();
  app.stage = new Stage(byId("canvas"));
  app.ground = new Ground(app.stage.scene);
  app.crowd = new Crowd();
  app.crowd.groundAt = (x, z) => app.ground.at(x, z);
  app.bodies = new Bodies(app.stage.people, app.stage.quality.slow);
  app.contacts = new Contacts(app.stage.people);
  app.obstacles = new Obstacles(app.stage.props, app.stage.marks);
  app.past = new ObstacleHistory();
  app.selection = new Selection(app.crowd);
  app.picking = new Picking(app);
  const { marks } = app.stage;
  app.flags = new Flags({ marks, ...app });
  app.preview = new Preview(marks);
  app.overlays = new Overlays({ marks, ...app });
  app.isPast = () => app.clock.mode !== "live";
  app.freshName = (stem) => freshName(app.obstacles.shown, stem);
  app.actions = makeActions(app);
  app.files = makeFiles(app);
  app.help = makeHelp(app);
  app.toolbox = new Toolbox(app, [
    SelectTool, GoalTool, PeopleTool, FlowTool, BoxTool, CylinderTool, SpecialTool, WallTool, MoverTool,
  ].map((Tool) => new Tool(app)));
  app.header = new Header(app);
  app.panel = new Panel(app);
  app.timeline = new Timeline(app);
  app.audit = new AuditMarks(app, marks);
  follow(app);
  listen(app);
  expose(app);
  return app;
}

/** box-1, box-2, ...: the first that is free. */
function freshName(taken, stem) {
  let number = 1;
  while (taken.has(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}

function draw(app, now) {
  const seconds = app.meter.begin(now);
  const { clock } = app;
  clock.tick(seconds, now);
  const seen = app.crowd.look(clock.shown);
  const obstacles = app.past.at(clock.shown);
  // The newest scene is shown at once: the user's own edit must not wait for the clock.
  const shown = clock.mode === "live" ? app.scene?.obstacles ?? [] : obstacles;
  if (shown !== app.obstaclesKey) {
    app.obstaclesKey = shown;
    app.obstacles.set(shown);
  }
  app.obstacles.update(clock.shown, app.selection.obstacles);
  app.bodies.update(seen, app.stage.pixelsPerMetre(), app.stage.seesBodies());
  app.contacts.update(seen);
  app.flags.update();
  app.overlays.update();
  app.audit.update(clock.shown);
  app.timeline.update();
  app.meter.prepared();
  app.stage.adapt(seconds);
  app.stage.draw();
  app.pictures += 1;
  app.meter.end();
}

function start() {
  let app;
  try {
    app = build();
  } catch (error) {
    // Most likely no WebGL 2: say so instead of showing a white page.
    complain(new Error(`the scene cannot be drawn in this browser: ${error.message}`));
    throw error;
  }
  app.net.open();
  const pace = new Pace(app);
  const loop = (now) => {
    requestAnimationFrame(loop);
    if (pace.isDue(now)) draw(app, now);
  };
  requestAnimationFrame(loop);
}

start();
