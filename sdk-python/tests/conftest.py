"""The real service with its embedded database, and a proxy between it and the clients that fails as a test says."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal, Optional, Union
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from partner_booking import Attempt, Client
from partner_booking.contract import CreateBookingRequest

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Answer:
    """A response of the proxy; the service never sees the request."""

    status: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)


# "down": the service never sees it; "lost": the service processes it, and the response is lost; "half": half of the
# response arrives.
Fault = Optional[Union[Literal["down", "lost", "half"], Answer]]


@dataclass
class Proxy:
    base_url: str
    faults: list[Fault] = field(default_factory=list)
    calls: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@dataclass
class Service:
    base_url: str
    key: str


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    node = ROOT / "node_modules/.bin/node"
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [node, ROOT / "src/main.ts"],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "PORT": "0", "LOG_LEVEL": "warn"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert process.stdout is not None
            output = ""
            for line in process.stdout:
                output += line
                if "Book something" in line:
                    break
            found = {
                label: re.search(rf"{label} +(\S+)", output) for label in ("base URL", "demo key PARTNER")
            }
            base, key = found["base URL"], found["demo key PARTNER"]
            assert base and key, output
            # The rest must be read, or the service blocks on the pipe.
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield Service(base[1], key[1])
        finally:
            process.kill()
            process.wait()


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    target = urlsplit(service.base_url)
    state = Proxy("")

    class Handler(BaseHTTPRequestHandler):
        def handle_one(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            state.calls.append((f"{self.command} {self.path}", {k.lower(): v for k, v in self.headers.items()}))
            fault = state.faults.pop(0) if state.faults else None
            self.close_connection = True
            if fault == "down":
                return
            if isinstance(fault, Answer):
                self.reply(fault.status, fault.headers, fault.text.encode())
                return
            there = http.client.HTTPConnection(target.hostname or "", target.port or 0)
            headers = {name: value for name, value in self.headers.items() if name.lower() != "accept-encoding"}
            there.request(self.command, self.path, body or None, headers)
            response = there.getresponse()
            content = response.read()
            there.close()
            if fault != "lost":
                self.reply(response.status, dict(response.getheaders()), content, half=fault == "half")

        do_GET = do_POST = do_PATCH = do_DELETE = handle_one

        def reply(self, status: int, headers: dict[str, str], content: bytes, half: bool = False) -> None:
            self.send_response(status)
            for name, value in headers.items():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", "keep-alive"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if half else content)

        def log_message(self, format: str, *args: object) -> None:
            """Tests read `calls` instead."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    state.base_url = f"http://127.0.0.1:{server.server_port}/v1"
    yield state
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def no_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between attempts are 0, except those of Retry-After."""
    monkeypatch.setattr("partner_booking.core.random.random", lambda: 0.0)


@pytest.fixture
def attempts() -> list[Attempt]:
    return []


@pytest.fixture
def client(service: Service, proxy: Proxy, attempts: list[Attempt]) -> Iterator[Client]:
    with Client(api_key=service.key, base_url=proxy.base_url, on_attempt=attempts.append) as one:
        yield one


@pytest.fixture
def wanted(service: Service) -> CreateBookingRequest:
    """The body of a booking in a slot that is free now."""
    with Client(api_key=service.key, base_url=service.base_url) as one:
        contact = one.contacts.find_or_create(
            {"name": "Noura", "phone": "+966501234567", "latitude": "24.7136", "longitude": "46.6753"}
        )
        address_id = contact["addressId"]
        assert address_id is not None
        service_id = one.services.list({"addressId": address_id}).data[0]["services"][0]["id"]
        for day in range(2, 20):
            date = (datetime.now(timezone.utc) + timedelta(days=day)).date().isoformat()
            offered = one.timeslots.list({"addressId": address_id, "serviceId": service_id, "date": date})
            if offered["slots"]:
                return {
                    "contactId": contact["id"],
                    "addressId": address_id,
                    "serviceId": service_id,
                    "date": date,
                    "timeslot": {
                        "startAt": offered["slots"][0]["startAt"],
                        "endAt": offered["slots"][0]["endAt"],
                    },
                    "externalReference": f"ORDER-{uuid4()}",
                }
    raise AssertionError("the demo has free slots")
