#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No async function of a program writes behind the frame that is allocated for it. The optimiser of Swift 6.3.1 has told frames 16 bytes
too small for functions with much in them, and whoever called them wrote into other memory: nothing shows until the heap is met again.

  async_frames.py PROGRAM

What is allocated stands beside each function, in its async function pointer; what is used stands in its instructions. Registers and
places of the stack that may hold the frame are followed from the entry of each part of the function, over all jumps.
"""
import re
import struct
import subprocess
import sys

HEAD = re.compile(r"^([0-9a-f]+) <(.+)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(?:(?:lock|rep|data16|notrack|bnd) )*(\S+)\s*(.*?)(?:\s+[#<].*)?$")
PLACE = re.compile(r"(-?(?:0x)?[0-9a-f]*)\(%(\w+)(?:,[^)]*)?\)")
PART = re.compile(r"T[QY]\d+_$")
LOST_IN_CALLS = {"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"}
WIDTHS = {"movups": 16, "movaps": 16, "movdqu": 16, "movdqa": 16, "movupd": 16, "vmovups": 32, "vmovaps": 32, "vmovdqu": 32}


def text_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def allocated(program):
    """Bytes of each async function's frame, by its symbol."""
    with open(program, "rb") as file:
        data = file.read()
    sections = [[int(number, 16) for number in found] for found in
                re.findall(r"\]\s+\S+\s+PROGBITS\s+([0-9a-f]{16})\s+([0-9a-f]+)\s+([0-9a-f]+)", text_of("readelf", "-SW", program))]
    frames = {}
    for line in text_of("nm", program).splitlines():
        address, name = line.partition(" ")[0], line.rpartition(" ")[2]
        if not address or not name.endswith("Tu"):
            continue
        for start, offset, size in sections:
            if start <= int(address, 16) < start + size:
                # Where the function is, from here; then its bytes.
                frames[name[:-2]] = struct.unpack_from("<iI", data, offset + int(address, 16) - start)[1]
    return frames


def functions(program, frames):
    """Each part of an async function: its name, its bytes, its instructions."""
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True, bufsize=1 << 20) as process:
        name, instructions = None, []
        for line in process.stdout:
            if head := HEAD.match(line):
                if name:
                    yield name, frames[PART.sub("", name)], instructions
                name, instructions = head[2] if PART.sub("", head[2]) in frames else None, []
            elif name and (found := LINE.match(line)):
                instructions.append((int(found[1], 16), found[2], found[3].strip()))
        if name:
            yield name, frames[PART.sub("", name)], instructions


def operands(text):
    """The operands of an instruction, in the order of the assembler: what is written to stands last."""
    return [one.strip() for one in re.split(r",(?![^(]*\))", text)] if text else []


def step(held, verb, parts, resumed):
    """What may hold the frame after an instruction."""
    if verb.startswith("call"):
        return held - LOST_IN_CALLS
    if not parts or verb.startswith(("cmp", "test", "j", "push", "ret", "nop")):
        return held
    target = parts[-1].lstrip("%")
    place = PLACE.fullmatch(parts[-1])
    if place and place[2] not in ("rbp", "rsp"):
        return held
    source = parts[0].lstrip("%") if len(parts) == 2 and verb in ("mov", "movq") else None
    # A part that goes on behind a call has the callee's frame in r14, and its own in the first word there.
    is_frame = source in held or (resumed and source in ("(%r14)", "0x0(%r14)") and "callee" in held)
    held = held | {target} if is_frame else held - {target}
    return held - {"callee"} if target == "r14" else held


def behind(name, size, instructions):
    """What reaches behind the frame, as addresses and instructions."""
    resumed = bool(re.search(r"TQ\d+_$", name))
    starts = {address for address, _, _ in instructions}
    at = {instructions[0][0]: frozenset({"callee"} if resumed else {"r14"})} if instructions else {}
    found, changed = {}, True
    while changed:
        changed, held = False, None
        for address, verb, text in instructions:
            if address in at:
                held = at[address] if held is None else held | at[address]
            if held is None:
                continue
            parts = operands(text)
            for part in parts:
                place = PLACE.fullmatch(part)
                if place and place[2] in held and place[1] and not place[1].startswith("-"):
                    if int(place[1], 16) + WIDTHS.get(verb, 1) > size:
                        found[address] = f"{verb} {text}"
            if verb.startswith("j"):
                goal = int(text, 16) if re.fullmatch(r"[0-9a-f]+", text) else None
                if goal in starts and not (goal in at and held <= at[goal]):
                    at[goal] = at.get(goal, frozenset()) | held
                    changed = True
            held = None if verb in ("jmp", "ret", "ud2", "retq", "jmpq") else step(held, verb, parts, resumed)
    return found


def main(program):
    frames, parts, wrong = allocated(program), 0, {}
    for name, size, instructions in functions(program, frames):
        parts += 1
        if found := behind(name, size, instructions):
            wrong.setdefault((PART.sub("", name), size), {}).update(found)
    for (name, size), found in wrong.items():
        print(f"{name} has {size:#x} bytes and uses more:")
        for address, words in list(found.items())[:4]:
            print(f"  {address:x}: {words}")
    if parts < 1_000:
        sys.exit(f"FAILED: only {parts} parts of async functions were found: has the program no symbols?")
    if wrong:
        sys.exit(f"FAILED: {len(wrong)} async functions reach behind their frames; shape them otherwise, until none does")
    print(f"{parts} parts of {len(frames)} async functions keep to their frames; the largest has {max(frames.values())} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
