#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read the live feed as server-sent events until a kind comes, then resume behind it.

  feed_reader.py PORT TOKEN KIND

Prints what it saw.
"""
import http.client
import json
import sys

from daybook import DEADLINE


def events(port, token, last=None):
    """Yields (id, data) for each block of the stream."""
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    if last is not None:
        headers["Last-Event-ID"] = last
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=DEADLINE)
    connection.request("GET", "/v1/events", headers=headers)
    response = connection.getresponse()
    assert response.status == 200, response.read()
    assert response.getheader("Content-Type") == "text/event-stream"
    name, data = last, None
    for line in response:
        line = line.decode().rstrip("\n")
        if line.startswith("id: "):
            name = line[4:]
        elif line.startswith("data: "):
            data = line[6:]
        elif not line and data is not None:
            yield name, data
            data = None


def main(port, token, kind):
    seen = 0
    for name, data in events(int(port), token):
        entry = json.loads(data)
        assert entry["position"] == name, (entry["position"], name)
        assert int(name) == seen, (name, seen)
        seen += 1
        if entry["type"] == kind:
            print(kind, name)
            break
    name, data = next(events(int(port), token, last=name))
    assert json.loads(data)["position"] == str(seen) == name, (name, seen)
    print("resumed", name)


if __name__ == "__main__":
    main(*sys.argv[1:])
