# SPDX-License-Identifier: Apache-2.0
"""Who may what, as Documentation/openapi.yaml and asyncapi.yaml declare it: what a walk of the routes expects, never what the gateway answers."""

import os
import re

import yaml

from described import ROOT, Description

#: They see every organisation; the others what their own has.
WHOLE = ("auditor", "admin")
#: They read every conversation of an organisation; operators by ruling 33, callers their own, the others none.
SUPERVISING = ("supervisor", "auditor", "org-admin", "admin", "service")
#: What a route is about, by its first word.
KINDS = {"sessions": "session", "incidents": "incident", "streams": "stream", "requests": "request", "events": "position", "reports": "report",
         "patrol-points": "point", "holds": "hold", "persons": "person", "users": "user", "devices": "device"}
CONVERSED = ("session", "incident", "stream", "request", "position")


class Thing:
    """What a reader may be near: a conversation of an organisation, or one of its other things."""

    def __init__(self, label, organisation, names, state=None, owner=None, caller=None, words=()):
        self.label, self.organisation, self.names = label, organisation, names
        #: `handled`, `waiting`, `ended` or `sealed`; nothing for what is no conversation.
        self.state, self.owner, self.caller, self.words = state, owner, caller, list(words)


class Reader:
    """Somebody with a token, or nobody."""

    def __init__(self, label, client, role=None, organisation=None, is_guest=False, user=None, is_new=False):
        self.label, self.client, self.role, self.organisation = label, client, role, organisation
        #: A phone to which an older one of the same person has not agreed.
        self.is_guest, self.user, self.is_new = is_guest, user, is_new

    def reaches(self, thing):
        return self.role in WHOLE or thing.organisation == self.organisation

    def sees(self, conversation):
        """Ruling 33, within what the reader reaches."""
        if self.role in SUPERVISING:
            return True
        if self.role == "operator":
            return conversation.owner == self.user or conversation.state in ("waiting", "ended")
        return self.role == "caller" and conversation.caller is self.client


class Right:
    """What one route or topic declares."""

    def __init__(self, node, kind=None):
        security = node.get("security")
        self.is_open = security == [] or {} in (security or [])
        #: Strangers have a part of it: whichever, the route says.
        self.is_partly = {} in (security or [])
        self.roles = node.get("x-roles", ["any"] if self.is_open else [])
        self.roles = [self.roles] if isinstance(self.roles, str) else self.roles
        self.is_own, self.is_private, self.is_guests, self.is_agreed = (node.get(f"x-{name}", False) for name in ("own", "private", "guest", "agreed"))
        self.kind = kind

    def expected(self, reader, thing, is_own=False):
        """The statuses that refuse this reader, or nothing where the reader is let in."""
        if reader.role is None:
            return None if self.is_open else {401}
        if reader.is_guest and not self.is_guests and not self.is_open:
            return {403}
        if not ("any" in self.roles or reader.role in self.roles or self.is_own and is_own):
            # Whether the role or the thing is asked first, nobody need know.
            return {403, 404}
        if self.is_agreed and reader.is_new:
            return {403}
        if self.kind is None:
            return None
        if not reader.reaches(thing):
            return {404}
        if self.is_private and not reader.sees(thing):
            # A colleague knows of it from the list, and may be told that it is over; what stands at a place of the log, nobody is told.
            return {403, 410} if reader.role == "operator" and self.kind != "position" else {403, 404}
        return None


class Route:
    """A described operation with its right."""

    def __init__(self, operation):
        self.operation, self.node, self.path, self.method = operation, operation.node, operation.path, operation.method
        first = self.path.split("/")[2] if self.path.startswith("/v1/") else ""
        named = KINDS.get(first) if re.match(r"/v1/[\w-]+/\{", self.path) else None
        self.right = Right(self.node, named)
        self.is_socket = operation.is_socket
        self.takes_point = any(one["name"] == "asOf" for one in operation.parameters)

    def __str__(self):
        return f"{self.method} {self.path}"

    @property
    def kind(self):
        return self.right.kind

    def body(self, names):
        content = self.node.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            return fill(content["application/json"].get("example", {}), names)
        return b"\x1a\x45\xdf\xa3" if content else None


def routes():
    return [Route(one) for one in Description().operations()]


def topics():
    """The topics of live pages by name, `session/{id}` and so on, and the addresses of all sockets."""
    with open(os.path.join(ROOT, "Documentation", "asyncapi.yaml")) as file:
        channels = yaml.safe_load(file)["channels"]
    declared = channels["topics"]["x-topics"]
    kinds = {name: name.split("/")[0] if "/" in name else None for name in declared}
    return {name: Right(node, kinds[name]) for name, node in declared.items()}, {one["address"] for one in channels.values()}


def fill(value, names):
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda found: str(names.get(found[1], "0")), value)
    if isinstance(value, list):
        return [fill(one, names) for one in value]
    if isinstance(value, dict):
        return {name: fill(one, names) for name, one in value.items()}
    return value
