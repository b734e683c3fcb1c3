// SPDX-License-Identifier: Apache-2.0
/** Deutsch der Aufnahmen von Kameras, die für einen Einsatz behalten werden. */
export default {
  "kept.at-camera": "Bei der Kamera abspielen",
  "kept.by": "behalten von {name}",
  "kept.check": "So wird geprüft: Die SHA-256 des Films ist die, die der Nachweis nennt; die Prüfsummen der Teile einer Minute ergeben die eine Prüfsumme, die der Eintrag der Minute nennt; der Eintrag führt zum Prüfpunkt, und der muss mit dem Schlüssel dieses Protokolls unterschrieben sein. Tests/Tools/footage_proof.py von Daybook prüft das alles nur aus den Dateien, ohne dieses Gateway.",
  "kept.downloads": "Herunterladen",
  "kept.film": "Film {from} – {until} ({size} MB)",
  "kept.film.about": "Ein Film (WebM) ist Byte für Byte das, was aufgenommen wurde, in ganzen Minuten: Er beginnt bis zu einer Minute vor der Spanne und endet bis zu einer Minute danach.",
  "kept.missing": "{seconds} s ohne Bild",
  "kept.none": "Davon kann noch nichts heruntergeladen werden. Eine Minute Film kann es, sobald sie vorbei ist.",
  "kept.play": "Hier abspielen",
  "kept.proof": "Nachweis (JSON)",
  "kept.proof.about": "Der Nachweis zeigt, dass der Film unverändert ist. Zu jeder Minute enthält er den Eintrag, den das Protokoll machte, als sie aufgenommen wurde, und was von dort zu einem unterschriebenen Prüfpunkt des Protokolls führt.",
  "kept.replay": "In der Wiedergabe abspielen",
  "kept.title": "Behaltene Aufnahmen von Kameras",
};
