"""What the README shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_main_job_in_python_runs_in_under_ten_lines(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    code = next(block for block in blocks if "plan_scene" in block)
    assert len([line for line in code.splitlines() if line.strip()]) < 10
    (tmp_path / "out").mkdir()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(code, "README.md", "exec"), names)  # noqa: S102
    assert names["report"].clean
    assert len(names["take"].roles) == len(names["scene"].characters)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"corridor.take", "corridor.glb"}
