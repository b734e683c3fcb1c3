// SPDX-License-Identifier: Apache-2.0
/** Deutsch. */
export default {
  "bar.call": "Bei Lebensgefahr wählen Sie {emergency}.",
  "bar.kept": "Was Sie schreiben, bleibt erhalten und wird gesendet, sobald die Verbindung wieder da ist.",
  "bar.offline": "Kein Netz seit {time}.",
  "bar.since": "Keine Verbindung seit {time}.",
  "bar.stale": "Was Sie sehen, ist vielleicht nicht mehr aktuell.",

  "chat.again": "Noch einmal senden",
  "chat.erased": "Diese Nachricht wurde gelöscht.",
  "chat.log": "Nachrichten",
  "chat.new": { one: "↓ {count} neue Nachricht", other: "↓ {count} neue Nachrichten" },
  "chat.passed-over": "Die Leitstelle hat auf diese Nachricht nicht geantwortet. Senden Sie sie noch einmal, oder mit anderen Worten.",
  "chat.picture": "Bild",
  "chat.picture.again": "Tippen Sie, um es noch einmal zu versuchen.",
  "chat.picture.erased": "Dieses Bild wurde gelöscht.",
  "chat.picture.large": "Groß zeigen",
  "chat.picture.mine": "Bild, das Sie gesendet haben",
  "chat.picture.none": "Diese Datei ist kein Bild, das gesendet werden kann.",
  "chat.picture.tab": "In einem neuen Tab",
  "chat.picture.theirs": "Bild der anderen Seite",
  "chat.state.delivered": "Zugestellt",
  "chat.state.doubtful": "Vielleicht nicht angekommen",
  "chat.state.failed": "Nicht gesendet",
  "chat.state.queued": "Wird noch gesendet",
  "chat.state.seen": "Gelesen",
  "chat.state.taken": "Bei der Leitstelle",
  "chat.too-long": "Dieser Text ist um {percent} % zu lang. Kürzen Sie ihn, oder senden Sie ihn in Teilen.",

  "front.danger": "Bei Lebensgefahr anrufen:",
  "front.help": "Ich brauche Hilfe",
  "front.help.more": "Chatten, Video zeigen oder der Leitstelle Ihren Standort senden.",
  "front.replay": "Einen Einsatz nachträglich ansehen",
  "front.work": "Ich arbeite hier",
  "front.work.more": "Die Konsole der Leitstelle.",

  "page.again-in": "Noch einmal in {time}",
  "page.close": "Schließen",
  "page.notices": "Hinweise",

  "phone.fault": "Schreiben Sie die Nummer mit + und Landesvorwahl, zum Beispiel +49 170 1234567.",
  "phone.fault.trunk": "Schreiben Sie die Nummer so, wie man sie hier wählt, mit {trunk} am Anfang, oder mit + und Landesvorwahl.",

  "time.hours": "{hours} h {minutes} min",
  "time.minutes": "{minutes} min {seconds} s",
  "time.seconds": "{seconds} s",
};
