// SPDX-License-Identifier: Apache-2.0
/** English of the footage of cameras that an incident keeps. */
export default {
  "kept.at-camera": "Play at the camera",
  "kept.by": "kept by {name}",
  "kept.check": "How they are checked: the film's SHA-256 is the one that the proof says; the digests of a minute's parts make the one digest that the entry of the minute says; the entry leads to the checkpoint, which has to be signed with this ledger's key. Tests/Tools/footage_proof.py of Daybook checks all of that from the files alone, without this gateway.",
  "kept.downloads": "Downloads",
  "kept.film": "Film {from} – {until} ({size} MB)",
  "kept.film.about": "A film (WebM) is what was recorded, byte for byte, in whole minutes: it begins up to a minute before the span and ends up to a minute after it.",
  "kept.missing": "{seconds} s without a picture",
  "kept.none": "None of it can be downloaded yet. A minute of film can be once it is over.",
  "kept.play": "Play here",
  "kept.proof": "Proof (JSON)",
  "kept.proof.about": "The proof shows that the film is unchanged. For each minute it has the entry that the ledger made when the minute was recorded, and what leads from there to a signed checkpoint of the ledger.",
  "kept.replay": "Play in the replay",
  "kept.title": "Kept footage of cameras",
};
