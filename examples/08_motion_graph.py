"""A motion graph of four minutes of built-in motion: walk a word, act a script, and let the audit look at both.

Nothing was recorded for this; with recordings of your own, give `build_motion_graph` the clips of your files.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "out"


def main() -> int:
    """Build, walk, act, audit; the exit code says whether the script was met and the audit is clean."""
    import walkon
    from walkon.builtin.session import make_session
    from walkon.directing import act_script, take_of_walks
    from walkon.graphs.building import build_motion_graph
    from walkon.graphs.searching.fitting import fit_path
    from walkon.graphs.searching.shapes import hello
    from walkon.render import draw_walks

    OUT.mkdir(exist_ok=True)
    graph = build_motion_graph(make_session(7)).graph
    print(graph)
    path = 1.4 * hello()
    fit = fit_path(graph, path, styles="walk")
    print(f"hello: {fit.walk.duration:.1f} s, {100 * fit.mean_deviation:.1f} cm off the path, {fit.seconds:.2f} s")
    draw_walks(fit.walk, OUT / "hello.png", asked=path)
    scene = walkon.read_scene(HERE / "scenes" / "directed.toml")
    acted = act_script(graph, scene.characters[0], seed=3)
    print(acted.summary())
    clean = acted.met
    for name, take in {
        "hello": take_of_walks(None, {"anna": fit.walk}),
        "directed": take_of_walks(scene, {scene.characters[0].name: acted}),
    }.items():
        walkon.write_take(take, OUT / f"{name}.take")
        report = walkon.audit(take)
        print(f"{name}: {report.summary()}")
        clean = clean and report.clean
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
