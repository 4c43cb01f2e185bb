"""The page itself: nothing from elsewhere, nothing inline, and bundled only when its sources have changed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "src" / "walkon" / "studio" / "web"


def test_the_page_loads_nothing_from_elsewhere_and_holds_nothing_inline():
    page, style = (WEB / "index.html").read_text(), (WEB / "style.css").read_text()
    assert re.findall(r'(?:src|href)="([^"]+)"', page) == ["data:,", "/assets/style.css", "/assets/studio.js"]
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)", page)
    assert "url(" not in style
    assert "@import" not in style


def test_the_sources_name_no_host_and_pin_every_package():
    for path in sorted(WEB.rglob("*")):
        if path.is_file():
            hosts = set(re.findall(r"https?://[\w.]+", path.read_text()))
            assert hosts <= {"http://www.w3.org"}, path.name  # the name of SVG, not an address
    pins = json.loads((WEB / "package.json").read_text())["dependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in pins.values()), pins
    assert not (WEB / "package-lock.json").exists()


def test_the_bundle_is_made_once(browser, tmp_path, monkeypatch, build_tool):
    assert not build_tool.build()  # `browser` has seen to it
    monkeypatch.setattr(build_tool, "CACHE", tmp_path)
    monkeypatch.setattr(build_tool, "node_and_npm", lambda: ("false", ["false"]))
    with pytest.raises(build_tool.BuildError, match="network"):
        build_tool.build(force=True)
    assert not build_tool.build()  # what there was is still there
