// window.walkon: what tests and measurements may read. It changes nothing.

export function expose(app) {
  const { stage, crowd, clock, obstacles, ground, latency, net } = app;
  window.walkon = Object.freeze({
    get state() { return net.state; },
    get ready() { return app.ready; },
    get frame() { return clock.shown; },
    get serverFrame() { return clock.server; },
    get mode() { return clock.mode; },
    get running() { return clock.moving; },
    get people() { return crowd.size; },
    get drawn() { return crowd.seen.count; },
    get obstacles() { return [...obstacles.shown.keys()]; },
    get selected() { return { people: [...app.selection.people], obstacles: [...app.selection.obstacles] }; },
    get overlays() { return [...app.overlays.latest.keys()]; },
    get packets() { return app.packets; },
    get pictures() { return app.pictures; },
    get figures() { return app.figures; },
    /** How busy drawing is: pictures a second, [ms] a picture (preparing: before drawing begins), draw calls. */
    get cost() {
      const { fps, work, preparing } = app.meter;
      const { calls, triangles } = stage.renderer.info.render;
      return { fps, work, preparing, calls, triangles, level: stage.quality.level };
    },
    get latencies() { return latency.samples.map((sample) => ({ ...sample })); },
    placeOf: (who) => crowd.placeOf(who),
    placesOf: () => Array.from({ length: crowd.seen.count }, (_, i) =>
      [crowd.seen.who[i], crowd.seen.x[i], crowd.seen.z[i], crowd.seen.heading[i]]),
    obstacle: (name) => obstacles.get(name)?.place ?? null,
    /** Where to press on screen: the middle of an obstacle, a person, a point of the ground. */
    screenOf({ obstacle, person, x, z }) {
      if (obstacle !== undefined) {
        const mesh = obstacles.get(obstacle)?.mesh;
        if (!mesh) return null;
        mesh.geometry.boundingBox ?? mesh.geometry.computeBoundingBox();
        const { min, max } = mesh.geometry.boundingBox;
        const middle = mesh.localToWorld(min.clone().add(max).multiplyScalar(0.5));
        return stage.project(middle.x, middle.y, middle.z);
      }
      if (person !== undefined) {
        const place = crowd.placeOf(person);
        return place && stage.project(place.x, place.y + 0.9, place.z);
      }
      return stage.project(x, ground.at(x, z), z);
    },
    /** Point the camera: a copy of what a hand could do, for pictures. */
    look: (position, target) => {
      stage.camera.position.fromArray(position);
      stage.controls.target.fromArray(target);
      stage.controls.update();
    },
  });
}
