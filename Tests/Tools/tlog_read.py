#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read a transparency log from outside and check all of it.

Written from the texts of C2SP signed-note, tlog-checkpoint and tlog-tiles, RFC 6962 section 2.1
and RFC 8032, apart from the program that writes the log; it needs nothing but Python.

  tlog_read.py --vkey KEY BASE

BASE is the log's prefix: an http:// or https:// URL, or a folder with the same paths below it.
The checkpoint's signature is verified with KEY, every entry is hashed, every tile is compared with
those hashes, and the root of it all must be the one signed. Then `SIZE ROOT ok` is printed.

Exit: 0 everything holds, 1 something does not, 2 it could not be read or was asked wrongly.
"""
import argparse
import base64
import binascii
import gzip
import hashlib
import os
import sys
import urllib.error
import urllib.request

ENTRIES_PER_BUNDLE = 256
HASH_BYTES = 32
TIMEOUT_SECONDS = 60
RESPONSE_BYTES_MAX = 256 * (2 + 65535)


class Refuted(Exception):
    """The log does not hold what it claims."""


class Unreadable(Exception):
    """Something could not be fetched."""


class NotFound(Unreadable):
    """There is nothing at this path."""


# --- Where the bytes come from


class Folder:
    def __init__(self, path):
        self.path = path

    def read(self, path):
        try:
            with open(os.path.join(self.path, path), "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound(f"{path}: {error.strerror}") from error
        except OSError as error:
            raise Unreadable(f"{path}: {error.strerror}") from error


class Server:
    def __init__(self, prefix, token):
        self.prefix = prefix.rstrip("/")
        self.token = token

    def read(self, path):
        request = urllib.request.Request(f"{self.prefix}/{path}")
        request.add_header("Accept-Encoding", "gzip, identity")
        # Checkpoint and hashes are public; only entries are asked for with the token.
        if self.token and path.startswith("tile/entries/"):
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                body = response.read(RESPONSE_BYTES_MAX + 1)
                if response.headers.get("Content-Encoding", "identity") == "gzip":
                    body = gzip.decompress(body)
        except urllib.error.HTTPError as error:
            kind = NotFound if error.code in (404, 410) else Unreadable
            raise kind(f"{path}: HTTP {error.code}") from error
        except (OSError, EOFError) as error:
            raise Unreadable(f"{path}: {error}") from error
        if len(body) > RESPONSE_BYTES_MAX:
            raise Unreadable(f"{path}: more than {RESPONSE_BYTES_MAX} bytes")
        return body


# --- Ed25519 verification (RFC 8032 section 5.1.7), in affine-free coordinates

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)


def point_add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m = (y1 - x1) * (y2 - x2) % P
    n = (y1 + x1) * (y2 + x2) % P
    c = 2 * t1 * t2 * D % P
    d = 2 * z1 * z2 % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def same_point(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_MINUS_ONE % P
    if (x * x - square) % P:
        return None
    return P - x if x & 1 != sign else x


def decode_point(text):
    number = int.from_bytes(text, "little")
    y = number & ((1 << 255) - 1)
    x = recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE_POINT = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def ed25519_verify(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    a, r = decode_point(public_key), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(digest, "little") % L
    return same_point(point_multiply(s, BASE_POINT), point_add(r, point_multiply(k, a)))


# --- Signed notes and checkpoints


def strict_base64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


class VerifierKey:
    def __init__(self, vkey):
        parts = vkey.split("+", 2)
        if len(parts) != 3:
            raise ValueError("a verifier key is name+id+base64")
        key = strict_base64(parts[2])
        if key is None or len(key) != 33 or key[0] != 1:
            raise ValueError("the verifier key is not of type Ed25519")
        self.name, self.public_key = parts[0], key[1:]
        self.id = hashlib.sha256(self.name.encode() + b"\n" + key).digest()[:4]
        if self.id.hex() != parts[1]:
            raise ValueError("the id in the verifier key is not that of the key")


def open_note(note, key):
    """The text of a note, if the key has signed it and no signature in its name is wrong."""
    try:
        decoded = note.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refuted("checkpoint: not UTF-8") from error
    if any(ord(character) < 0x20 and character != "\n" for character in decoded):
        raise Refuted("checkpoint: control characters")
    text, separator, lines = decoded.rpartition("\n\n")
    if not separator or not lines.endswith("\n"):
        raise Refuted("checkpoint: no signatures after an empty line")
    text += "\n"
    verified = False
    for line in lines[:-1].split("\n"):
        fields = line.split(" ")
        signature = strict_base64(fields[2]) if len(fields) == 3 else None
        if signature is None or fields[0] != "\u2014" or not fields[1] or len(signature) < 5:
            raise Refuted(f"checkpoint: not a signature line: {line!r}")
        if fields[1] != key.name or signature[:4] != key.id:
            continue
        if not ed25519_verify(key.public_key, text.encode(), signature[4:]):
            raise Refuted(f"checkpoint: the signature by {key.name} is not genuine")
        verified = True
    if not verified:
        raise Refuted(f"checkpoint: not signed by {key.name}")
    return text


def parse_checkpoint(text):
    lines = text[:-1].split("\n")
    if len(lines) < 3 or not all(lines):
        raise Refuted("checkpoint: fewer than three lines, or an empty one")
    origin, size, root = lines[0], lines[1], strict_base64(lines[2])
    if not (size.isascii() and size.isdigit()) or str(int(size)) != size:
        raise Refuted(f"checkpoint: {size!r} is not a size")
    if root is None or len(root) != HASH_BYTES:
        raise Refuted("checkpoint: the third line is not a root hash")
    return origin, int(size), root


# --- Merkle tree


def leaf_hash(entry):
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_hash(hashes):
    """MTH over hashes that stand for equal complete subtrees."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    return node_hash(tree_hash(hashes[:split]), tree_hash(hashes[split:]))


class RightEdge:
    """The complete subtrees that a tree of any size ends in."""

    def __init__(self):
        self.size = 0
        self.subtrees = []

    def add(self, leaf):
        bits = self.size
        while bits & 1:
            leaf = node_hash(self.subtrees.pop(), leaf)
            bits >>= 1
        self.subtrees.append(leaf)
        self.size += 1

    def root(self):
        if not self.subtrees:
            return tree_hash([])
        root = self.subtrees[-1]
        for subtree in reversed(self.subtrees[:-1]):
            root = node_hash(subtree, root)
        return root


# --- Tiles


def tile_path(kind, index, width):
    groups = [f"{index % 1000:03}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03}")
    path = f"tile/{kind}/{'/'.join(groups)}"
    return path if width == ENTRIES_PER_BUNDLE else f"{path}.p/{width}"


def read_tile(source, level, index, width):
    try:
        tile = source.read(tile_path(level, index, width))
    except NotFound:
        # A partial tile may be gone once the full one is there.
        if width == ENTRIES_PER_BUNDLE:
            raise
        tile = source.read(tile_path(level, index, ENTRIES_PER_BUNDLE))[: width * HASH_BYTES]
    if len(tile) != width * HASH_BYTES:
        raise Refuted(f"{tile_path(level, index, width)}: {len(tile)} bytes")
    return [tile[at : at + HASH_BYTES] for at in range(0, len(tile), HASH_BYTES)]


def read_bundle(source, index, width):
    path = tile_path("entries", index, width)
    try:
        bundle = source.read(path)
        exact = True
    except NotFound:
        if width == ENTRIES_PER_BUNDLE:
            raise
        bundle = source.read(tile_path("entries", index, ENTRIES_PER_BUNDLE))
        exact = False
    entries, at = [], 0
    while at < len(bundle):
        length = int.from_bytes(bundle[at : at + 2], "big")
        at += 2
        if at + length > len(bundle):
            raise Refuted(f"{path}: cut off inside entry {index * 256 + len(entries)}")
        entries.append(bundle[at : at + length])
        at += length
    if len(entries) < width or exact and len(entries) != width:
        raise Refuted(f"{path}: {len(entries)} entries")
    return entries[:width]


class Levels:
    """Compares the tiles of every level with the hashes computed below."""

    def __init__(self, source):
        self.source = source
        self.pending = []
        self.tiles = []

    def add(self, level, subtree):
        if level == len(self.pending):
            self.pending.append([])
            self.tiles.append(0)
        self.pending[level].append(subtree)
        if len(self.pending[level]) == ENTRIES_PER_BUNDLE:
            self.compare(level)
            self.add(level + 1, tree_hash(self.pending[level]))
            self.pending[level] = []
            self.tiles[level] += 1

    def compare(self, level):
        computed, index = self.pending[level], self.tiles[level]
        stored = read_tile(self.source, level, index, len(computed))
        for place, (ours, theirs) in enumerate(zip(computed, stored)):
            if ours != theirs:
                raise Refuted(
                    f"{tile_path(level, index, len(computed))}: hash {place} is {theirs.hex()}, "
                    f"computed {ours.hex()}, from position {(index * 256 + place) * 256**level}"
                )

    def finish(self):
        for level, hashes in enumerate(self.pending):
            if hashes:
                self.compare(level)


def leaf_hashes(source, size, hashes_only, wanted, found):
    """The leaf hashes in order, from the entries or, without the right to read them, from tiles."""
    for index in range((size + 255) // 256):
        width = min(ENTRIES_PER_BUNDLE, size - index * ENTRIES_PER_BUNDLE)
        if hashes_only:
            leaves = read_tile(source, 0, index, width)
        else:
            leaves = [leaf_hash(entry) for entry in read_bundle(source, index, width)]
        for place, leaf in enumerate(leaves):
            if leaf == wanted:
                found.append(index * ENTRIES_PER_BUNDLE + place)
            yield leaf


def check(source, key, arguments):
    origin, size, root = parse_checkpoint(open_note(source.read("checkpoint"), key))
    if arguments.origin is not None and origin != arguments.origin:
        raise Refuted(f"checkpoint: of {origin}, not of {arguments.origin}")
    older = None
    if arguments.older:
        older = parse_checkpoint(open_note(read_file(arguments.older), key))
        if older[0] != origin or older[1] > size:
            raise Refuted(f"older checkpoint: of {older[0]} at size {older[1]}, the log has {size}")
    wanted = leaf_hash(read_file(arguments.entry).rstrip(b"\n")) if arguments.entry else None
    found, edge, levels = [], RightEdge(), Levels(source)
    check_older(older, edge)
    for leaf in leaf_hashes(source, size, arguments.hashes_only, wanted, found):
        levels.add(0, leaf)
        edge.add(leaf)
        check_older(older, edge)
    levels.finish()
    if edge.root() != root:
        raise Refuted(f"root at size {size}: signed {root.hex()}, computed {edge.root().hex()}")
    if arguments.entry:
        if not found:
            raise Refuted(f"the entry in {arguments.entry} is not in the log")
        print(f"entry at {' '.join(map(str, found))}")
    print(f"{size} {root.hex()} ok")


def check_older(older, edge):
    if older and edge.size == older[1] and edge.root() != older[2]:
        raise Refuted(f"root at size {older[1]}: signed {older[2].hex()}, now {edge.root().hex()}")


def read_file(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from error


def main():
    parser = argparse.ArgumentParser(description="Check a transparency log from outside.")
    parser.add_argument("base", help="URL prefix or folder of the log")
    parser.add_argument("--vkey", required=True, help="the log's verifier key, name+id+base64")
    parser.add_argument("--token", help="bearer token for the entry bundles")
    parser.add_argument("--origin", help="the origin that the checkpoint must name")
    parser.add_argument("--older", help="an older checkpoint that must still hold")
    parser.add_argument("--entry", help="a file with one entry that the log must have")
    parser.add_argument("--hashes-only", action="store_true", help="do not read the entries")
    arguments = parser.parse_args()
    try:
        key = VerifierKey(arguments.vkey)
    except ValueError as error:
        parser.error(str(error))
    is_url = arguments.base.startswith(("http://", "https://"))
    source = Server(arguments.base, arguments.token) if is_url else Folder(arguments.base)
    try:
        check(source, key, arguments)
    except Refuted as refuted:
        print(f"refuted: {refuted}", file=sys.stderr)
        return 1
    except Unreadable as unreadable:
        print(f"unreadable: {unreadable}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
