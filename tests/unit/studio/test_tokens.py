"""Who is let in: whoever has opened the printed address, on this machine or on another, encrypted or not."""

from __future__ import annotations

import contextlib
import importlib
import re
import shutil
import socket
import ssl
import subprocess
import threading
import webbrowser

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from walkon.errors import WalkonError
from walkon.studio import Settings, addresses
from walkon.studio.addresses import reachable_hosts
from walkon.studio.door import DoorLimits
from walkon.studio.live_show import LiveShow
from walkon.studio.protocol import NO_TOKEN, WRONG_ORIGIN
from walkon.studio.tls import make_tls

serving = importlib.import_module("walkon.studio.serve")  # the function of that name hides it

EVERYWHERE = "0.0.0.0"  # noqa: S104


@pytest.fixture
def show(fake):
    """Four people of the engine that is none."""
    return LiveShow(fake.FakeLive(fake.little_scene()))


@pytest.mark.parametrize("host", [None, EVERYWHERE])
def test_a_token_opens_one_browser_and_is_used_up(show, tmp_path, launch, host):
    with launch(show, tmp_path, host=host) as studio:
        address, token = studio.address, studio.studio.guard.token
        assert token
        assert token in studio.studio.url
        assert studio.browser(additional_headers={}).closed()[0] == NO_TOKEN
        for path in ("", "?token=wrong", "?token=", "motion/0.bin", "assets/studio.js"):
            assert httpx.get(f"{address}/{path}").status_code == 401, path
        with httpx.Client() as browser:
            answer = browser.get(f"{address}/", params={"token": token})
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            given = answer.headers["set-cookie"].lower()
            assert {"httponly", "samesite=strict", "path=/"} <= set(given.split("; "))
            assert "secure" not in given
            assert browser.get(f"{address}/motion/0.bin").status_code == 200
            again = browser.get(f"{address}/", params={"token": token})
            assert again.status_code == 303, "who opens the same address again has a session"
            assert "set-cookie" not in again.headers
            (cookie,) = browser.cookies.jar
        assert httpx.get(f"{address}/", params={"token": token}).status_code == 401, "a token is good for one"
        header = {"Cookie": f"{cookie.name}={cookie.value}"}
        assert studio.browser(additional_headers=header).hello()
        wrong = {"Cookie": f"{cookie.name}={'a' * 43}"}
        assert studio.browser(additional_headers=wrong).closed()[0] == NO_TOKEN
        assert studio.browser(additional_headers=header, origin="http://evil.example").closed()[0] == WRONG_ORIGIN
        assert studio.studio.guard.token not in ("", token)


def test_a_link_on_another_page_leads_in_too(studio):
    """A browser does not send a strict cookie when that page's link is redirected: a page of ours asks again."""
    given = {"params": {"token": studio.studio.guard.token}, "headers": {"Sec-Fetch-Site": "cross-site"}}
    answer = httpx.get(studio.address, **given)
    assert answer.status_code == 200
    assert "walkon_" in answer.headers["set-cookie"]
    assert 'content="0; url=/"' in answer.text


def test_the_next_token_is_told_with_every_address(show, tmp_path, launch):
    with launch(show, tmp_path, host=EVERYWHERE) as studio:
        told = []
        studio.studio.guard._announce = lambda token: told.extend(studio.studio._addresses(token))
        httpx.get(studio.studio.url)
        assert told == studio.studio.urls


def test_all_addresses_are_said_and_the_first_is_opened_with_its_token(show, tmp_path, monkeypatch):
    said, opened, ran = [], [], threading.Event()
    monkeypatch.setattr(serving, "open_show", lambda what, settings: show)
    monkeypatch.setattr(webbrowser, "open", lambda url: (opened.append(url), ran.set()))
    monkeypatch.setattr(serving.Studio, "run", lambda studio: ran.wait(10.0))
    monkeypatch.setattr(serving, "reachable_hosts", lambda host: ["127.0.0.1", "192.168.1.7"])
    serving.serve(Settings(port=0, host=EVERYWHERE, project=tmp_path), open_browser=True, say=said.append)
    (first, url), (second, other) = (line.rsplit(": ", 1) for line in said)
    assert (first, second) == ("walkon studio", "  or from elsewhere")
    assert opened == [url]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{43}", url)
    assert other == url.replace("127.0.0.1", "192.168.1.7")


def test_without_a_token_this_machine_is_let_in(show, tmp_path, launch):
    with launch(show, tmp_path, token=False) as studio:
        assert studio.studio.url == f"{studio.address}/"
        assert httpx.get(f"{studio.address}/motion/0.bin").status_code == 200
        assert studio.browser(additional_headers={}).hello()
        origin = {"additional_headers": {}, "origin": "http://evil.example"}
        assert studio.browser(**origin).closed()[0] == WRONG_ORIGIN


@pytest.mark.parametrize("host", [EVERYWHERE, "::"])
def test_every_printed_address_works(show, tmp_path, launch, host):
    if host == "::" and not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    with launch(show, tmp_path, host=host) as studio:
        hosts = [httpx.URL(url).host for url in studio.studio.urls]
        assert hosts[0] in ("127.0.0.1", "::1")
        assert len(set(hosts)) == len(hosts)
        for number in range(len(hosts)):
            with httpx.Client(follow_redirects=True) as browser:
                answer = browser.get(studio.studio.urls[number])
                assert answer.status_code in (200, 503), hosts[number]  # 503: the bundle is not built
                assert browser.get(httpx.URL(studio.studio.urls[number]).join("/motion/0.bin")).status_code == 200
        own = f"http://{hosts[0] if host != '::' else '[::1]'}:{studio.port}/"
        for name, status in ((socket.gethostname(), 401), ("evil.example", 421)):
            assert httpx.get(own, headers={"Host": name}).status_code == status


def test_the_address_that_others_see_is_found_without_sending(monkeypatch):
    class Probe:
        """A socket that says where it would send from."""

        def __init__(self, family, kind):
            assert kind == socket.SOCK_DGRAM
            self.six = family == socket.AF_INET6

        __enter__ = lambda self: self  # noqa: E731
        __exit__ = lambda self, *_: None  # noqa: E731

        def connect(self, _):
            if down:
                raise OSError("no way there")

        def getsockname(self):
            return ("2001:db8::7", 1, 0, 0) if self.six else ("192.168.1.7", 1)

    monkeypatch.setattr(addresses.socket, "socket", Probe)
    down = False
    assert reachable_hosts(EVERYWHERE) == ["127.0.0.1", "192.168.1.7"]
    assert reachable_hosts("::") == ["[::1]", "[2001:db8::7]", "127.0.0.1", "192.168.1.7"]
    down = True
    assert reachable_hosts(EVERYWHERE) == ["127.0.0.1"]
    assert reachable_hosts("::1") == ["[::1]"]
    assert reachable_hosts("studio.example") == ["studio.example"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for this machine that nobody has signed, and its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("no openssl here to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    options = ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([program, "req", "-x509", *options, *made], cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


def closing_code(window) -> int | None:
    """Why the other side closed a websocket."""
    with contextlib.suppress(ConnectionClosed):
        window.recv(timeout=20)
    return window.close_code


def test_over_tls(show, tmp_path, launch, certificate):
    cert, key = certificate
    trust = ssl.create_default_context(cafile=cert)
    with launch(show, tmp_path, tls_cert=cert, tls_key=key) as studio:
        secure = studio.address.replace("http:", "https:")
        assert studio.studio.url.startswith(f"{secure}/?token=")
        with httpx.Client(verify=trust) as browser:
            answer = browser.get(studio.studio.url)
            assert answer.status_code == 303
            assert "secure" in answer.headers["set-cookie"].lower().split("; ")
            assert len(browser.get(f"{secure}/motion/0.bin").content) > 1000
            (cookie,) = browser.cookies.jar
        options = {"ssl": trust, "additional_headers": {"Cookie": f"{cookie.name}={cookie.value}"}}
        live = secure.replace("https:", "wss:") + "/live"
        with connect(live, origin=secure, **options) as window:  # type: ignore[arg-type]
            assert '"hello"' in window.recv(timeout=20)[:40]
        with connect(live, origin=studio.address, **options) as window:  # type: ignore[arg-type]
            assert closing_code(window) == WRONG_ORIGIN
        with pytest.raises(httpx.HTTPError):
            httpx.get(studio.address, timeout=5.0)


def test_a_handshake_that_does_not_come_is_not_waited_for(show, tmp_path, launch, certificate):
    cert, key = certificate
    with launch(show, tmp_path, tls_cert=cert, tls_key=key) as studio:
        studio.studio.door.limits = DoorLimits(stranger_seconds=0.5, strangers=4)
        with contextlib.ExitStack() as held:
            where = ("127.0.0.1", studio.port)
            lines = [held.enter_context(socket.create_connection(where, timeout=10.0)) for _ in range(12)]
            lines[-1].sendall(b"\x16\x03\x01")
            for line in lines:
                assert _ended(line)


def _ended(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def test_certificates_that_are_none_are_one_line(certificate, tmp_path):
    cert, key = certificate
    (tmp_path / "empty.pem").write_text("")
    wrong = [
        (tmp_path / "absent.pem", key),
        (cert, tmp_path / "empty.pem"),
        (tmp_path / "empty.pem", key),
        (cert, None),
    ]
    for one, other in wrong:
        with pytest.raises(WalkonError) as refused:
            make_tls(one, other)
        assert "\n" not in str(refused.value)
        assert ".pem" in str(refused.value)
    with pytest.raises(WalkonError, match="--tls-cert"):
        make_tls(None, key)
    locked = tmp_path / "locked.pem"
    command = ["openssl", "ec", "-in", str(key), "-aes256", "-passout", "pass:x", "-out", str(locked)]
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(WalkonError, match="password"):
        make_tls(cert, locked)
    assert make_tls(None, None) is None
