"""A headless Chromium over its DevTools protocol: what a page asks for, logs, and looks like."""

import itertools
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import websocket

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--remote-debugging-port=0",
)
SECONDS = 60
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27}


def found() -> str | None:
    """The browser's path, or nothing where none is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Seen:
    """What the browser reported while a page was open."""

    logged: list[str] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


class Chromium:
    """One page of a browser of our own, ended with the `with` statement."""

    def __init__(self, path: str, profile: Path) -> None:
        self.process = subprocess.Popen(
            [path, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile)},
        )
        self.numbers = itertools.count(1)
        self.seen = Seen()
        self.loaded = False
        try:
            self.socket = self._connected(profile / "DevToolsActivePort")
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def _connected(self, port_file: Path) -> websocket.WebSocket:
        deadline = time.monotonic() + SECONDS
        while not (port_file.exists() and port_file.read_text().count("\n")):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Chromium did not start: exit code {self.process.returncode}")
            time.sleep(0.05)
        port, browser = port_file.read_text().splitlines()[:2]
        root = f"ws://127.0.0.1:{port}"
        # A proxy of the environment is not for a socket on this machine.
        options: dict[str, Any] = {"suppress_origin": True, "http_no_proxy": ["127.0.0.1"]}
        self.socket = websocket.create_connection(f"{root}{browser}", SECONDS, **options)
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.socket.close()
        return websocket.create_connection(f"{root}/devtools/page/{page}", SECONDS, **options)

    def call(self, method: str, **params: Any) -> Any:
        """Call a method of the protocol; events that come meanwhile are noted."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _note(self, message: Any) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled" and params["type"] in {"error", "assert"}:
            texts = [str(a.get("value", a.get("description"))) for a in params["args"]]
            self.seen.logged.append(" ".join(texts))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.seen.logged.append(
                details.get("exception", {}).get("description", details["text"])
            )
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.seen.logged.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.seen.asked_for.append(params["request"]["url"])
        elif method == "Network.loadingFailed":
            self.seen.failed.append(params["errorText"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def evaluate(self, script: str) -> Any:
        """What a script comes to, a promise when it is kept."""
        result = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key of `KEYS` and let it go, as a keyboard does."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=KEYS[key], **text)  # fmt: skip

    def like(self, **features: str) -> None:
        """Act as a system with these wishes: `prefers_color_scheme="dark"`; none is the usual."""
        asked = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        self.call("Emulation.setEmulatedMedia", features=asked)

    def resize(self, width: int) -> None:
        """Make the page this wide."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=False,
        )

    def open(self, address: str, width: int = 1200) -> Seen:
        """Open a page and wait until it stands; what the browser reports goes to the result."""
        self.resize(width)
        self.call("Page.navigate", url="about:blank")
        self.seen, self.loaded = Seen(), False
        failed = self.call("Page.navigate", url=address).get("errorText")
        if failed:
            raise RuntimeError(f"{address}: {failed}")
        deadline = time.monotonic() + SECONDS
        # The event may be that of the blank page before.
        stands = "location.href !== 'about:blank' && document.readyState === 'complete'"
        while not (self.loaded and self.evaluate(stands)):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{address} did not load")
            self.evaluate("new Promise(done => setTimeout(done, 20))")
        self.evaluate("document.fonts.ready.then(() => new Promise(d => setTimeout(d, 50)))")
        return self.seen

    def close(self) -> None:
        """End this browser."""
        if hasattr(self, "socket"):
            self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
