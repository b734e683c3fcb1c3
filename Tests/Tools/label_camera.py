# SPDX-License-Identifier: Apache-2.0
"""A camera that looks at a QR code: a file of raw video (YUV4MPEG2) that Chromium shows in place of a camera, drawn from the page's own picture of the code."""

import math
import os
import re

WIDTH, HEIGHT = 640, 480
# Paper, print, and the wall around the label.
LIGHT, DARK, WALL = 225, 30, 120
# A label hangs askew, and the phone is held so.
ANGLE = math.radians(6)
RATE = 10


def modules_of(view_box, path):
    """The modules of a picture, rows of booleans with the light margin around them; `path` has a square for each dark one."""
    size = int(view_box.split()[2])
    rows = [[False] * size for _ in range(size)]
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path):
        rows[int(y)][int(x)] = True
    return rows


def frame(modules, share=0.75):
    """One picture of 640 × 480 in grey: the label in the middle, turned a little, `share` of the height."""
    size = len(modules)
    pixels = HEIGHT * share / size
    cosine, sine = math.cos(ANGLE) / pixels, math.sin(ANGLE) / pixels
    luma = bytearray([WALL]) * (WIDTH * HEIGHT)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            across, down = x - WIDTH / 2, y - HEIGHT / 2
            column, row = across * cosine + down * sine + size / 2, down * cosine - across * sine + size / 2
            if 0 <= column < size and 0 <= row < size:
                luma[y * WIDTH + x] = DARK if modules[int(row)][int(column)] else LIGHT
    return bytes(luma)


def shows(path, modules=None):
    """What the camera shows from the next time on that it is opened: a label, or the wall alone."""
    luma = frame(modules) if modules else bytes([WALL]) * (WIDTH * HEIGHT)
    colour = bytes([128]) * (WIDTH * HEIGHT // 2)
    # A camera that is open reads the file that it opened.
    with open(f"{path}.new", "wb") as file:
        file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{RATE}:1 Ip A1:1 C420jpeg\n".encode())
        for _ in range(2):
            file.write(b"FRAME\n" + luma + colour)
    os.replace(f"{path}.new", path)
