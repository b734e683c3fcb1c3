# SPDX-License-Identifier: Apache-2.0
"""The routes as Documentation/openapi.yaml describes them: what there is to ask, and values that fit or do not."""

import functools
import os
import re
import urllib.parse

import yaml

from daybook import new_id

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
METHODS = ("get", "put", "post", "delete", "patch")
# Numbers where something ends: of a bit, of a type, of what JSON holds, of what a line holds.
EDGES = ["0", "-1", "1", "2147483648", "9007199254740993", "9223372036854775807", "9223372036854775808",
         "18446744073709551614", "18446744073709551615", "1e400", "nan", "", "9" * 65_536]
# Texts in which a number stands.
AROUND = {"Range": ("bytes={}-", "bytes=0-{}", "bytes=-{}"), "If-Match": ('"{}"',), "near": ("{},0", "0,{}"), "Content-Length": ("{}",)}


@functools.cache
def tree():
    with open(os.path.join(ROOT, "Documentation", "openapi.yaml")) as file:
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class Description:
    """The file, with its references followed."""

    def __init__(self):
        self.tree = tree()

    def resolved(self, node):
        while isinstance(node, dict) and "$ref" in node:
            place = self.tree
            for step in node["$ref"].lstrip("#/").split("/"):
                place = place[step]
            node = place
        return node

    def operations(self):
        return [Operation(self, path, method, item[method], item.get("parameters", []))
                for path, item in self.tree["paths"].items() for method in METHODS if method in item]

    def sample(self, schema, dice, depth=0):
        """A value that a schema lets pass, or nearly."""
        schema = self.resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return dice.choice(schema["enum"])
        for choice in ("oneOf", "anyOf"):
            if choice in schema:
                return self.sample(dice.choice(schema[choice]), dice, depth)
        if "allOf" in schema:
            return {key: value for part in schema["allOf"] for key, value in (self.sample(part, dice, depth) or {}).items()}
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = dice.choice(kind)
        if kind == "object":
            needed = set(schema.get("required", []))
            return {name: self.sample(value, dice, depth + 1) for name, value in schema.get("properties", {}).items()
                    if name in needed or (depth < 4 and dice.random() < 0.7)}
        if kind == "array":
            return [self.sample(schema.get("items", {}), dice, depth + 1) for _ in range(dice.randrange(3))]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", 0), schema.get("maximum", 1_000)
            return dice.randint(int(low), int(high)) if kind == "integer" else low + (high - low) * dice.random()
        if kind == "boolean":
            return dice.random() < 0.5
        if kind == "null":
            return None
        return new_id() if "0-9a-f" in schema.get("pattern", "") else dice.choice(["a", "front door", "+447700900001", "2026-11-21T13:11:00Z"])

    def numbers(self, schema, place=()):
        """The places of all numbers in a body of this shape."""
        schema = self.resolved(schema)
        for part in schema.get("allOf", []) + schema.get("oneOf", []) + schema.get("anyOf", []):
            yield from self.numbers(part, place)
        if schema.get("type") in ("integer", "number"):
            yield place
        for name, value in schema.get("properties", {}).items():
            yield from self.numbers(value, (*place, name))


class Operation:
    """A method on a path."""

    def __init__(self, description, path, method, node, shared):
        self.description, self.path, self.method, self.node = description, path, method.upper(), node
        self.parameters = [description.resolved(one) for one in [*shared, *node.get("parameters", [])]]

    def __str__(self):
        return f"{self.method} {self.path}"

    @property
    def body_schema(self):
        return self.node.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")

    @property
    def media_types(self):
        return list(self.node.get("requestBody", {}).get("content", {}))

    @property
    def is_socket(self):
        return "101" in self.node.get("responses", {})

    @property
    def has_no_end(self):
        """A feed, which ends when its reader leaves."""
        return self.path == "/v1/events"

    def numeric(self):
        """The parameters in which a number stands, with the texts around it."""
        for one in self.parameters:
            schema = self.description.resolved(one.get("schema", {}))
            patterns = AROUND.get(one["name"])
            if patterns is None and (schema.get("type") in ("integer", "number") or schema.get("pattern") == "^\\d+$" or one["name"] == "asOf"):
                patterns = ("{}",)
            for pattern in patterns or ():
                yield one, pattern

    def target(self, names, query=()):
        """The path with what its places are called, and a query."""
        path = re.sub(r"\{(\w+)\}", lambda found: urllib.parse.quote(str(names.get((self.path, found[1])) or names.get(found[1]) or new_id()), safe=""), self.path)
        needed = {one["name"]: str(one.get("example", "0")) for one in self.parameters if one["in"] == "query" and one.get("required")}
        needed.update(query)
        return path + ("?" + urllib.parse.urlencode(needed) if needed else "")

    def sample_body(self, dice):
        return None if self.body_schema is None else self.description.sample(self.body_schema, dice)
