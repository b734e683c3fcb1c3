# SPDX-License-Identifier: Apache-2.0
"""A gateway that is none: it serves the real pages, and the timeline of an incident of any length, so that what a page takes is the page's own."""

import datetime
import http.server
import json
import os
import threading

WEB = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "web"))
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json"}
INCIDENT, SESSION, STREAM = (f"01a205cd-0000-7000-8000-00000000000{number}" for number in (1, 2, 3))
BEGIN = 1_795_266_660_000  # milliseconds
# So long lies between two events.
PAUSE = 700


def moment(milliseconds):
    whole = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}000Z"


def entry(number):
    """One event of the long incident: a chat that is read, places, and video archived by the second."""
    kind, subject, says, more = event(number)
    return {
        "position": str(3 * number), "subject": subject, "revision": str(number), "id": f"01a205cd-0000-7000-8001-{number:012x}", "type": f"{kind}/1",
        "actor": "device/01a205cd-0000-7000-8000-00000000000a" if number % 3 else "operator/123456789", "time": moment(BEGIN + PAUSE * number),
        "summary": [{"name": name, "value": str(value), "isSealed": name in ("text", "fix", "phone")} for name, value in says.items()], **more,
    }


def event(number):
    session, stream = f"session/{SESSION}", f"stream/{STREAM}"
    if number == 0:
        return "incident.opened", f"incident/{INCIDENT}", {"type": "RTC", "priority": 2}, {}
    if number == 1:
        return "session.created", session, {"incident": INCIDENT, "channel": "chat", "openedBy": "caller", "phone": "+447712345678"}, {}
    if number == 2:
        return "session.claimed", session, {"owner": "123456789"}, {}
    if number == 3:
        return "stream.started", stream, {"session": SESSION, "size": "640x360", "quality": "medium"}, {"file": {"name": "2026/11/2026-11-21-13-11-123456789.webm"}}
    step = number % 10
    if step in (0, 3, 6):
        return "chat.message_sent", session, {"from": "operator" if step == 3 else "caller", "text": f"word {number}, and some more of what people write", "message": f"m{number}"}, {}
    if step in (1, 4, 7):
        return "chat.message_delivered", session, {"message": f"m{number - 1}", "to": "operator"}, {}
    if step == 8:
        return "chat.message_seen", session, {"upTo": f"m{number - 2}", "by": "operator"}, {}
    if step == 9:
        fix = {"latitude": 51.6 + number % 1000 / 1e5, "longitude": -0.39, "accuracyMetres": 12}
        return "location.reported", session, {"fix": json.dumps(fix), "method": "gps"}, {}
    span = {"firstMilliseconds": PAUSE * number, "lastMilliseconds": PAUSE * (number + 5)}
    return "stream.chunk_archived", stream, {"chunk": number, "part": 0}, {"file": {"name": "2026/11/2026-11-21-13-11-123456789.webm", "offset": number, "length": 1, **span}}


class LongTimeline:
    """Serves on the loopback until it is closed."""

    def __init__(self, events):
        pages = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path, _, query = self.path.partition("?")
                if path.startswith("/web/") or path.startswith("/replay"):
                    return self.file("/pages/replay/index.html" if path.startswith("/replay") else path[len("/web"):])
                if path.endswith("/timeline"):
                    asked = dict(part.split("=") for part in query.split("&"))
                    first, limit = (int(asked["after"]) // 3 + 1 if "after" in asked else 0), int(asked["limit"])
                    if first not in pages:
                        last = min(events, first + limit)
                        pages[first] = json.dumps({"items": [entry(number) for number in range(first, last)], **({"next": str(3 * (last - 1))} if last < events else {})}).encode()
                    return self.answer(pages[first], "application/json")
                known = {
                    "/v1/me": {"user": "1", "login": "arne", "role": "auditor", "mustChangePassword": False}, f"/v1/incidents/{INCIDENT}": {"id": INCIDENT, "sessions": []}, f"/v1/incidents/{INCIDENT}/footage": {"items": []},
                    "/v1/ledger": {"origin": "long.example", "vkey": "long.example+00000000+AQ==", "size": 3 * events, "root": ""}, "/v1/users": {"items": []}, "/vendor": {"files": {}}, "/tiles": {"items": []},
                }
                if path in known:
                    return self.answer(json.dumps(known[path]).encode(), "application/json")
                self.answer(b"{}", "application/json", 404)

            def file(self, path):
                full = os.path.normpath(WEB + path)
                if not full.startswith(WEB) or not os.path.isfile(full):
                    return self.answer(b"{}", "application/json", 404)
                with open(full, "rb") as file:
                    self.answer(file.read(), TYPES.get(os.path.splitext(full)[1], "application/octet-stream"))

            def answer(self, body, kind, status=200):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/replay/{INCIDENT}"

    def close(self):
        self.server.shutdown()
