// SPDX-License-Identifier: Apache-2.0
/** Deutsch der Seite, auf der eine Nachricht beantwortet wird. */
export default {
  "answer.again": "Noch einmal versuchen",
  "answer.answered": "Diese Nachricht wurde beantwortet.",
  "answer.ask": "Worum es geht, steht in der Nachricht. Kümmern Sie sich darum?",
  "answer.away": "Die Leitstelle ist gerade nicht erreichbar. Versuchen Sie es noch einmal, oder rufen Sie die Leitstelle an.",
  "answer.have": "Ich übernehme",
  "answer.no-script": "Diese Seite braucht JavaScript. Antworten Sie auf die Nachricht, oder rufen Sie die Leitstelle an.",
  "answer.only-then": "Die Leitstelle erfährt es erst, wenn Sie den Knopf drücken.",
  "answer.over": "Das ist vorbei. Sie müssen nichts mehr tun.",
  "answer.reading": "Wird gelesen …",
  "answer.sent": "Nachricht gesendet:",
  "answer.severity.critical": "Dringend",
  "answer.severity.info": "Zur Kenntnis",
  "answer.severity.warning": "Wichtig",
  "answer.thanks": "Danke: Die Leitstelle weiß, dass Sie sich darum kümmern.",
  "answer.title": "Nachricht beantworten",
  "answer.unknown": "Dieser Link ist hier nicht bekannt. Öffnen Sie ihn noch einmal aus der Nachricht, oder rufen Sie die Leitstelle an.",
};
