#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds Documentation/openapi.yaml against a running gateway: the same routes, and each `x-try` answered as described.

Reads from standard input a JSON object: port, routes (as they are declared: method, path, roles, and whether strangers, owners and guests
may), tokens (by the names that `as` uses) and variables. Prints what differs, a line each; exit 0 if nothing does.
"""

import argparse
import datetime
import json
import os
import re
import sys

import jsonschema
import yaml

from daybook import Client

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
METHODS = ("get", "put", "post", "patch", "delete")


class Check:
    def __init__(self, spec, asked):
        self.spec, self.asked, self.faults, self.tried = spec, asked, [], 0
        self.variables, self.tokens = dict(asked["variables"]), dict(asked["tokens"])

    def fault(self, text):
        self.faults.append(text)

    # MARK: Routes

    def routes(self):
        described = {(method.upper(), path) for path, item in self.spec["paths"].items() for method in METHODS if method in item}
        routed = {(route["method"], self.as_described(route["path"])) for route in self.asked["routes"]}
        for method, path in sorted(routed - described):
            self.fault(f"{method} {path} is routed and not described")
        for method, path in sorted(described - routed):
            self.fault(f"{method} {path} is described and not routed")

    def rights(self):
        """Every route is described as open to whom it is declared for."""
        for route in self.asked["routes"]:
            method, path = route["method"], self.as_described(route["path"])
            one = self.spec["paths"].get(path, {}).get(method.lower(), {})
            is_open = one.get("security") == [] or {} in one.get("security", [])
            roles = one.get("x-roles", [])
            pairs = [("strangers", is_open, route["strangers"]), ("owners", one.get("x-own", False), route["owners"]), ("guests", one.get("x-guest", False), route["guests"])]
            if not route["strangers"]:
                pairs.append(("roles", sorted([roles] if isinstance(roles, str) else roles), sorted(route["roles"])))
            for what, described, declared in pairs:
                if described != declared:
                    self.fault(f"{method} {path} is described with {what} {described} and declared with {declared}")

    @staticmethod
    def as_described(path):
        path = "/" + path.strip("/")
        return re.sub(r":(\w+)", r"{\1}", path).replace("/**", "/{path}")

    # MARK: Tries

    def operations(self):
        tries = []
        for path, item in self.spec["paths"].items():
            for method in METHODS:
                operation = item.get(method)
                if operation is None:
                    continue
                if not operation.get("x-try"):
                    self.fault(f"{method.upper()} {path} is never tried")
                for one in operation.get("x-try", []):
                    tries.append((one.get("turn", 5), method, path, operation, one))
        return sorted(tries, key=lambda one: one[0])  # stable: the order of the file within a turn

    def filled(self, value):
        if isinstance(value, str):
            now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            known = {"now": now, **self.variables, **self.tokens}
            return re.sub(r"\{(\w+)\}", lambda m: str(known.get(m[1], m[0])), value)
        if isinstance(value, list):
            return [self.filled(one) for one in value]
        if isinstance(value, dict):
            return {name: self.filled(one) for name, one in value.items()}
        return value

    def try_one(self, method, path, operation, one):
        self.tried += 1
        target = path
        for name, value in one.get("path", {}).items():
            target = target.replace("{" + name + "}", self.filled(value))
        if one.get("query"):
            target += "?" + self.filled(one["query"])
        body, headers = self.body(operation, one), self.filled(one.get("headers", {}))
        if isinstance(body, bytes):
            headers.setdefault("Content-Type", "application/octet-stream")
        client = Client("127.0.0.1", self.asked["port"], None if one["as"] == "nobody" else self.tokens.get(one["as"]))
        what = f"{method.upper()} {target} as {one['as']}"
        if one["as"] != "nobody" and client.token is None:
            return self.fault(f"{what}: there is no token for {one['as']}")
        answer = client.request(method.upper(), target, body, headers, key=one.get("key"))
        if answer.status != one["status"]:
            return self.fault(f"{what} answered {answer}, where {one['status']} is described")
        self.check_body(what, operation, answer)
        for variable, member in one.get("keep", {}).items():
            self.variables[variable] = answer.json[member]
        for name, member in one.get("keepToken", {}).items():
            self.tokens[name] = answer.json[member]

    def body(self, operation, one):
        if "file" in one:
            with open(os.path.join(ROOT, one["file"]), "rb") as file:
                return file.read()
        if "body" in one:
            return self.filled(one["body"])
        content = operation.get("requestBody", {}).get("content", {})
        return self.filled(content.get("application/json", {}).get("example"))

    def check_body(self, what, operation, answer):
        responses = operation["responses"]
        response = responses.get(str(answer.status)) or (responses.get("default") if answer.status >= 400 else None)
        if response is None:
            return self.fault(f"{what}: {answer.status} is not described")
        content = self.resolved(response).get("content", {})
        if not content:
            return self.fault(f"{what}: has a body that is not described") if answer.body else None
        media = (answer.headers.get("Content-Type") or "").split(";")[0]
        if media not in content:
            return self.fault(f"{what}: {media} is not described")
        if not media.endswith("json") or media.endswith("ndjson"):
            return None
        schema = {"components": self.strict, **self.tightened(content[media]["schema"])}
        for error in jsonschema.Draft202012Validator(schema).iter_errors(answer.json):
            place = "/" + "/".join(map(str, error.absolute_path))
            self.fault(f"{what}: {place} {error.message[:300]}")

    def resolved(self, value):
        while "$ref" in value:
            at = self.spec
            for name in value["$ref"].split("/")[1:]:
                at = at[name]
            value = at
        return value

    @property
    def strict(self):
        schemas = self.spec["components"]["schemas"]
        # A part of an `allOf` must not refuse what the other parts describe; the whole is tightened instead.
        tight = {name: self.tightened(schema, whole=name != "Receipt") for name, schema in schemas.items()}
        return {"schemas": tight}

    def tightened(self, schema, whole=True):
        """The schema, which now refuses members that it does not describe."""
        if not isinstance(schema, dict):
            return schema
        tight = {}
        for name, value in schema.items():
            if name == "properties":
                tight[name] = {member: self.tightened(one) for member, one in value.items()}
            elif name == "items":
                tight[name] = self.tightened(value)
            elif name == "allOf":
                tight[name] = [self.tightened(one, whole=False) for one in value]
            else:
                tight[name] = value
        isReceipt = schema.get("$ref", "").endswith("/Receipt")
        if whole and ("properties" in schema or "allOf" in schema or isReceipt) and "additionalProperties" not in schema:
            tight["unevaluatedProperties"] = False
        return tight


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--spec", default=os.path.join(ROOT, "Documentation", "openapi.yaml"))
    options = options.parse_args()
    with open(options.spec) as file:
        spec = yaml.safe_load(file)
    check = Check(spec, json.load(sys.stdin))
    check.routes()
    check.rights()
    for _, method, path, operation, one in check.operations():
        check.try_one(method, path, operation, one)
    for fault in check.faults:
        print(fault)
    print(f"{check.tried} requests tried, {len(check.faults)} differ")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
