# SPDX-License-Identifier: Apache-2.0
"""Pictures that carry their numbers, as `BarCode` in MediaTesting draws them, and what became of those that a page encoded: by their order and their bytes, never by time."""

import os
import subprocess

from centre import hold

PICTURES_A_SECOND = 25
#: So many pictures has the film of the fake camera; then it begins again.
FILM = 60 * PICTURES_A_SECOND

# Reads the number of a picture: 30 cells along the bottom.
READ = """window.pictureNumber = (video) => {
    const canvas = window.readingCanvas ??= new OffscreenCanvas(320, 180), context = canvas.getContext('2d', { willReadFrequently: true });
    if (!video?.videoWidth) return null;
    context.drawImage(video, 0, 0, 320, 180);
    const row = context.getImageData(0, 168, 320, 1).data;
    const lumas = Array.from({ length: 30 }, (_, cell) => { const x = Math.floor((cell + 0.5) * 320 / 30) * 4; return row[x] + row[x + 1] + row[x + 2]; });
    const middle = (lumas[0] + lumas[1]) / 2, bits = lumas.map((luma) => luma > middle ? 1 : 0);
    const number = bits.slice(2, 26).reduce((sum, bit) => sum * 2 + bit, 0), check = bits.slice(26).reduce((sum, bit) => sum * 2 + bit, 0);
    let wanted = 0;
    for (let shift = 0; shift < 24; shift += 4) wanted ^= (number >> shift) & 15;
    return lumas[0] - lumas[1] > 120 && wanted === check ? number : null;
}; 1"""

# Before a page films: notes the last bytes of each picture that its encoder gives.
NOTES = """(() => { const Real = window.VideoEncoder; window.encodedPictures = [];
    if (Real) window.VideoEncoder = class extends Real { constructor(given) { super({ ...given, output: (chunk, more) => {
        const bytes = new Uint8Array(chunk.byteLength); chunk.copyTo(bytes);
        window.encodedPictures.push(Array.from(bytes.slice(-48), (one) => one.toString(16).padStart(2, '0')).join('')); given.output(chunk, more); } }); } }; })()"""

# What the encoder had given by now, once the browser's database has all that was written to it before.
ENCODED = """(async () => { const known = [...window.encodedPictures];
    await new Promise((done) => { const opening = indexedDB.open('kept-video'); opening.onerror = done; opening.onsuccess = () => { const base = opening.result;
        const close = () => { base.close(); done(); };
        if (!base.objectStoreNames.contains('pieces')) return close();
        const transaction = base.transaction('pieces', 'readwrite'); transaction.oncomplete = transaction.onerror = close; transaction.objectStore('pieces').count(); }; });
    return known; })()"""

# At each new part the encoder of the part before is ended: what it still has is not wanted. So many pictures may wait in an encoder (web/media/camera.js), and the newest is on its way.
LEFT_OUT_MOST = 5

#: Where two parts of a stream meet, the gateway has placed one by its arrival and the other by the age that its page tells: they may overlap by what an encoder and the network take.
OVERLAP_MOST = 5


def numbered_film(media, folder):
    """A minute of pictures that carry their numbers, for the fake camera."""
    path = os.path.join(folder, "camera.y4m")
    subprocess.run([media, "camera", "320", "180", str(FILM), path], check=True, stdout=subprocess.DEVNULL)
    return path


def numbers(media, data, path):
    """The pictures of a recording that carry a number: milliseconds and number, in the order of their time."""
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run([media, "numbers", path], capture_output=True, text=True, check=True)
    return sorted((int(row[0]), int(row[-1])) for row in map(str.split, done.stdout.splitlines()) if row[-1] != "-")


def missing(encoded, recording):
    """How many pictures in a row, of those that a page encoded, are not in a recording at most."""
    most = now = 0
    for tail in encoded:
        now = 0 if bytes.fromhex(tail) in recording else now + 1
        most = max(most, now)
    return most


def left_out(rows):
    """Holds that pictures are in order, but where two parts meet; how many in a row the camera left out at most."""
    jumps = [(later[1] - sooner[1]) % FILM for sooner, later in zip(rows, rows[1:])]
    hold(all(jump < FILM // 2 or jump >= FILM - OVERLAP_MOST for jump in jumps), f"pictures are out of order: {rows}")
    return max(jump for jump in jumps if jump < FILM // 2) - 1
