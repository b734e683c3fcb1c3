// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { afterEach, test } from "node:test";
import { allIn } from "./catalogues.js";
import "./support.js";
import { use } from "../core/i18n.js";
import english from "../locales/en.js";
import { eventOf } from "../model/event.js";
import { groupOf, groups, sentence, whoDid } from "../model/words.js";
import { replayReady } from "../pages/replay/words.js";

await replayReady;
const german = await allIn("de");
afterEach(() => use(english, "en"));

const names = { 7: "Amina", 8: "Bela", gate: "North gate" };

/** An entry of a kind, by operator 7; what is `null` was erased. */
function entry(kind, says, more = {}) {
  const summary = Object.entries(says).map(([name, value]) => ({ name, ...(value === null ? {} : { value }), isSealed: value === null }));
  return eventOf({ position: "1", revision: "0", id: "e", type: `${kind}/1`, subject: `${kind.split(".")[0]}/0199-aaaaaa`, actor: "operator/7", time: "2026-11-23T18:00:00Z", summary, ...more });
}

const inBoth = (event) => {
  const first = sentence(event, names);
  use(german, "de");
  const second = sentence(event, names);
  use(english, "en");
  return [first, second];
};

const place = (accuracyMetres, measuredAt) => JSON.stringify({ latitude: 51.6565, longitude: -0.3903, accuracyMetres, measuredAt });
const file = (first, last) => ({ file: { name: "a.webm", firstMilliseconds: first, lastMilliseconds: last } });

/** What the ledger says, and how it is read aloud: in English, and as a German emergency centre keeps its diary. */
const lines = [
  ["session.created", { openedBy: "caller", channel: "chat", phone: "+44 7712" }, "opened a session by chat from +44 7712", "Sitzung eröffnet, per Chat von +44 7712"],
  ["session.created", { openedBy: "caller", channel: "video" }, "opened a session by video", "Sitzung eröffnet, per Video"],
  ["session.created", { openedBy: "operator", channel: "chat", phone: null }, "opened a session for a number (erased)", "Sitzung eröffnet für eine Nummer (gelöscht)"],
  ["session.expired", { reason: "start_limit" }, "ended the session: nothing was started in time", "Sitzung beendet: nichts wurde rechtzeitig begonnen"],
  ["session.claimed", { owner: "7" }, "took the session", "Sitzung übernommen"],
  ["session.claimed", { owner: "8" }, "took the session, for Bela", "Sitzung übernommen, für Bela"],
  ["session.released", { reason: "left_open" }, "left the session open", "Sitzung offen gelassen"],
  ["session.released", { reason: "moonrise" }, "let go of the session (moonrise)", "Sitzung abgegeben (moonrise)"],
  ["session.offered", { to: "8" }, "asked Bela to take the session over", "Bela gebeten, die Sitzung zu übernehmen"],
  ["session.assigned", { to: "8" }, "asked Bela, whose turn it is, to take the caller", "Bela gefragt, wer an der Reihe ist: Anrufer übernehmen"],
  ["session.offer_declined", { by: "7" }, "does not take the session over", "Übernahme der Sitzung abgelehnt"],
  ["session.transferred", { from: "8", reason: "taken_over" }, "took the unattended session over from Bela", "Unbetreute Sitzung von Bela übernommen"],
  ["session.transferred", { from: "8", reason: "handed_over" }, "took the session over from Bela", "Sitzung von Bela übernommen"],
  ["session.unattended", { owner: "8" }, "nobody attends the session: Bela was signed out", "Sitzung unbetreut: Bela wurde abgemeldet"],
  ["session.resumed", { by: "caller" }, "came back", "Wieder da"],
  ["session.resumed", { by: "caller", gapMilliseconds: "4200" }, "came back after 4.2 s", "Wieder da nach 4.2 s"],
  ["session.activity_signalled", { by: "caller", activity: "typing" }, "is writing", "Schreibt gerade"],
  ["session.mute_set", { isMuted: "true" }, "silenced the caller: what they send goes on being kept", "Anrufer stummgeschaltet: alles Gesendete wird weiter aufbewahrt"],
  ["session.mute_set", { isMuted: "false" }, "hears the caller again", "Stummschaltung des Anrufers aufgehoben"],
  ["chat.quick_response_chosen", { service: "fire" }, "asked for the fire brigade by one press", "Mit einem Druck die Feuerwehr verlangt"],
  ["sip.message_received", { method: "message", transport: "udp", trunk: "north" }, "texted by telephone (MESSAGE over UDP, trunk north)", "Text per Telefon (MESSAGE über UDP, Leitung north)"],
  ["sip.message_received", { method: "message", transport: "tcp" }, "texted by telephone (MESSAGE over TCP)", "Text per Telefon (MESSAGE über TCP)"],
  ["sip.reply_queued", { attempt: "1" }, "an answer is to go to the telephone", "Eine Antwort soll ans Telefon gehen"],
  ["sip.reply_queued", { attempt: "2" }, "the answer is to go to the telephone again, attempt 2", "Die Antwort soll noch einmal ans Telefon gehen, Versuch 2"],
  ["sip.reply_sent", { transport: "tls" }, "sent the answer to the telephone, over TLS", "Antwort ans Telefon gesendet, über TLS"],
  ["sip.reply_answered", { status: "200" }, "the telephone took the answer (200)", "Das Telefon hat die Antwort angenommen (200)"],
  ["sip.reply_answered", { status: "486" }, "the telephone did not take the answer (486)", "Das Telefon hat die Antwort nicht angenommen (486)"],
  ["sip.reply_answered", { status: "0" }, "the answer could not be sent to the telephone", "Antwort ließ sich nicht ans Telefon senden"],
  ["sip.reply_timed_out", { timeoutMilliseconds: "4000" }, "the telephone said nothing for 4.0 s: the answer counts as failed", "Das Telefon schwieg 4.0 s: die Antwort gilt als gescheitert"],
  ["session.sealed", {}, "made the session private", "Sitzung vertraulich gemacht"],
  ["session.unsealed", {}, "opened the private session again", "Vertrauliche Sitzung wieder geöffnet"],
  ["session.request_sent", { ask: "stop_video" }, "asked for the video to stop", "Um das Ende des Videos gebeten"],
  ["session.request_opened", {}, "saw what was asked", "Bitte gesehen"],
  ["session.request_answered", { answer: "stale" }, "gave no answer in time", "Nicht rechtzeitig geantwortet"],
  ["session.link_proposed", { from: "0199-bbbbbb", by: "7" }, "proposed to link it with session …bbbbbb, as one event", "Verknüpfung mit Sitzung …bbbbbb vorgeschlagen: dasselbe Ereignis"],
  ["session.link_proposed", { from: "0199-bbbbbb", by: "8" }, "Bela proposed to link it with session …bbbbbb, as one event", "Bela schlug die Verknüpfung mit Sitzung …bbbbbb vor: dasselbe Ereignis"],
  ["session.link_declined", { from: "0199-bbbbbb" }, "took it for another event than session …bbbbbb", "Verknüpfung abgelehnt: ein anderes Ereignis als Sitzung …bbbbbb"],
  ["session.link_accepted", { from: "0199-bbbbbb" }, "agreed that it is one event with session …bbbbbb", "Zugestimmt: dasselbe Ereignis wie Sitzung …bbbbbb"],
  ["session.link_issued", { expiresAt: "2026-11-23T18:15:00Z" }, /^made a link, good until \d\d:15:00$/, /^Link erzeugt, gültig bis \d\d:15:00$/],
  ["session.link_opened", {}, "opened the link", "Link geöffnet"],
  ["session.consent_recorded", { scope: "emergency_intent", decision: "granted" }, "said that this is an emergency", "Bestätigt, dass es ein Notfall ist"],
  ["session.consent_recorded", { scope: "video", decision: "refused" }, "refused to show video", "Abgelehnt, Video zu zeigen"],
  ["session.video_wished", { expiresAt: "2026-11-23T18:02:00Z" }, /^wants to show video; somebody has to take it by \d\d:02:00$/, /^Möchte Video zeigen; jemand muss es bis \d\d:02:00 annehmen$/],
  ["session.video_wish_withdrawn", {}, "does not want to show video any more", "Möchte kein Video mehr zeigen"],
  ["session.closed", { disposition: "false_alarm" }, "closed the session: false alarm", "Sitzung geschlossen: Fehlalarm"],
  ["session.closed", { disposition: "handed to the ambulance", note: "conscious" }, "closed the session: handed to the ambulance – conscious", "Sitzung geschlossen: handed to the ambulance – conscious"],
  ["session.closed", { disposition: "handled", note: null }, "closed the session: handled – a note that was erased", "Sitzung geschlossen: bearbeitet – eine Notiz, die gelöscht wurde"],
  ["chat.message_sent", { text: "Hilfe {time}" }, "wrote: Hilfe {time}", "Nachricht: Hilfe {time}"],
  ["chat.message_sent", { text: null }, "wrote a message that was erased", "Nachricht, die gelöscht wurde"],
  ["chat.attachment_added", { width: "640", height: "360" }, "sent a picture, 640 × 360", "Bild gesendet, 640 × 360"],
  ["chat.message_rejected", { reason: "the session has ended" }, "a message was not taken: the session has ended", "Eine Nachricht wurde nicht angenommen: die Sitzung ist beendet"],
  ["chat.message_delivered", { to: "caller" }, "a message reached the caller", "Eine Nachricht erreichte den Anrufer"],
  ["chat.message_seen", { by: "caller" }, "has seen the messages", "Nachrichten gesehen"],
  ["location.reported", { fix: place(12), method: "gps" }, "sent the location 51.65650, -0.39030, to 12 m (gps)", "Standort gesendet: 51.65650, -0.39030, auf 12 m genau (gps)"],
  ["location.reported", { fix: place() }, "sent the location 51.65650, -0.39030", "Standort gesendet: 51.65650, -0.39030"],
  ["location.reported", { fix: place(12, "2026-11-23T17:59:31Z"), method: "gps" }, "sent the location 51.65650, -0.39030, to 12 m (gps)", "Standort gesendet: 51.65650, -0.39030, auf 12 m genau (gps)"],
  ["location.reported", { fix: place(12, "2026-11-23T17:55:00Z"), method: "gps" }, "sent the location 51.65650, -0.39030, to 12 m (gps) – measured 5 min 00 s before", "Standort gesendet: 51.65650, -0.39030, auf 12 m genau (gps) – 5 min 00 s vorher gemessen"],
  ["location.reported", { fix: place(undefined, "2007-04-01T00:00:00Z") }, "sent the location 51.65650, -0.39030 – the phone's time of it cannot be right", "Standort gesendet: 51.65650, -0.39030 – die Zeitangabe des Telefons dazu kann nicht stimmen"],
  ["location.reported", { fix: null }, "sent a location (erased)", "Standort gesendet (gelöscht)"],
  ["location.unavailable", { reason: "denied" }, "sent no location: the phone did not allow it", "Keinen Standort gesendet: das Telefon erlaubte es nicht"],
  ["stream.started", { size: "320x180", camera: "rear" }, "began to film, with the rear camera, 320 × 180", "Video begonnen, mit der hinteren Kamera, 320 × 180"],
  ["stream.started", { camera: "Dashcam 2" }, "began to film, with the camera Dashcam 2", "Video begonnen, mit der Kamera Dashcam 2"],
  ["stream.chunk_archived", { chunk: "3" }, "archived video piece 3, 0.9 s", "Videostück 3 archiviert, 0.9 s", file(100, 1000)],
  ["stream.chunks_inspected", { chunks: "0-9", outcome: "decoded", frames: "1", undecodable: "2" }, "looked through video pieces 0-9: 1 picture, 2 cannot be decoded", "Videostücke 0-9 durchgesehen: 1 Bild, 2 nicht lesbar"],
  ["stream.chunks_inspected", { chunks: "0-9", outcome: "timed_out" }, "could not look through video pieces 0-9 (it took too long)", "Videostücke 0-9 ließen sich nicht durchsehen (es dauerte zu lange)"],
  ["stream.gap_detected", { fromMilliseconds: "1160", toMilliseconds: "1161", cause: "clock" }, "the clock of the phone leapt; from here on times follow the pictures", "die Uhr des Telefons sprang; ab hier folgen die Zeiten den Bildern"],
  ["stream.gap_detected", { fromMilliseconds: "0", toMilliseconds: "65000", cause: "reconnect" }, "no picture for 1 min 05 s (the connection was made anew)", "Kein Bild für 1 min 05 s (die Verbindung wurde neu aufgebaut)"],
  ["stream.quality_changed", { quality: "low", size: "320x180", kilobitsPerSecond: "500" }, "video quality is now low, 320 × 180, 500 kbit/s", "Videoqualität jetzt niedrig, 320 × 180, 500 kbit/s"],
  ["stream.camera_switched", { camera: "front" }, "films with the front camera now", "Filmt jetzt mit der vorderen Kamera"],
  ["stream.camera_switched", { camera: "Dashcam 2" }, "films with the camera Dashcam 2 now", "Filmt jetzt mit der Kamera Dashcam 2"],
  ["stream.torch_toggled", { light: "on" }, "switched the light on", "Licht eingeschaltet"],
  ["stream.interrupted", { reason: "silence" }, "no video comes any more", "Es kommt kein Video mehr"],
  ["stream.resumed", { gapMilliseconds: "1000" }, "the video goes on after 1.0 s", "Das Video geht weiter nach 1.0 s"],
  ["stream.stopped", { reason: "stopped by the caller", durationMilliseconds: "9000" }, "the video ended after 9.0 s: stopped by the caller", "Video beendet nach 9.0 s: vom Anrufer beendet"],
  ["stream.finalized", {}, "the recording is complete", "Die Aufnahme ist vollständig"],
  ["stream.recording_failed", { text: "ENOSPC" }, "the video could not be recorded: ENOSPC", "Das Video konnte nicht aufgezeichnet werden: ENOSPC"],
  ["camera.set", { name: "Gate 3", site: "North" }, "set up the camera Gate 3 of North", "Kamera Gate 3 von North eingerichtet"],
  ["camera.standing_changed", { standing: "online" }, "the camera of the site gives pictures", "Die Kamera des Standorts gibt Bilder"],
  ["camera.standing_changed", { standing: "offline", cause: "password" }, "the camera of the site gives no picture: it does not take user and password", "Die Kamera des Standorts gibt kein Bild: sie nimmt Benutzer und Passwort nicht an"],
  ["camera.minute_archived", {}, "kept a minute of the camera of the site", "Eine Minute der Kamera des Standorts aufbewahrt"],
  ["camera.footage_expired", { cause: "days" }, "removed an hour of the camera of the site: it is as old as is kept", "Eine Stunde der Kamera des Standorts entfernt: sie ist so alt, wie aufbewahrt wird"],
  ["stream.viewed", { mode: "seek_back" }, "looked back in the live video", "Im Livebild zurückgegangen"],
  ["incident.opened", { type: "unclassified" }, "opened the incident", "Einsatz eröffnet"],
  ["incident.opened", { summary: null }, "opened the incident: what it was about is erased", "Einsatz eröffnet: worum es ging, ist gelöscht"],
  ["incident.classified", { type: "road_accident", priority: "1" }, "classified the incident: road accident, priority 1", "Einsatz eingestuft: road accident, Priorität 1"],
  ["incident.note_added", { text: "gas?" }, "wrote a note: gas?", "Notiz: gas?"],
  ["incident.footage_kept", { camera: "Gate 1", from: "2026-11-23T18:01:00.000000Z", until: "2026-11-23T18:03:00.000000Z" }, /^kept the footage of Gate 1 from \d\d:01:00 to \d\d:03:00$/, /^Aufnahme von Gate 1 von \d\d:01:00 bis \d\d:03:00 aufbewahrt$/],
  ["incident.session_linked", { session: "0199-bbbbbb", reason: "same event" }, "linked session …bbbbbb to incident …aaaaaa: same event", "Sitzung …bbbbbb mit Einsatz …aaaaaa verknüpft: dasselbe Ereignis"],
  ["incident.session_unlinked", { session: "0199-bbbbbb", reason: "no" }, "took session …bbbbbb out of the incident: no", "Sitzung …bbbbbb aus dem Einsatz genommen: no"],
  ["incident.merged", { reason: "same event" }, "merged incident …aaaaaa into another: same event", "Einsatz …aaaaaa mit einem anderen zusammengelegt: dasselbe Ereignis"],
  ["incident.unmerged", { reason: "another event" }, "took incident …aaaaaa out again: another event", "Einsatz …aaaaaa wieder herausgenommen: ein anderes Ereignis"],
  ["incident.address_set", { address: "Valley Road" }, "set the address: Valley Road", "Adresse eingetragen: Valley Road"],
  ["incident.address_set", { address: null }, "set an address that was erased", "Adresse eingetragen, die gelöscht wurde"],
  ["alert.queued", { template: "ambulance-needed", severity: "critical" }, "an alert is to go out: ambulance-needed (critical)", "Ein Alarm soll hinausgehen: ambulance-needed (kritisch)"],
  ["alert.delivery_attempted", { channel: "email", attempt: "2" }, "tried to send the alert by e-mail, attempt 2", "Versuch 2, den Alarm per E-Mail zu senden"],
  ["alert.sent", { channel: "sms" }, "the alert was sent by SMS", "Der Alarm wurde per SMS gesendet"],
  ["patrol.checked_in", {}, "checked in at point …aaaaaa", "Punkt …aaaaaa bestätigt", { subject: "patrol_point/0199-aaaaaa" }],
  ["patrol.check_in_refused", {}, "a check-in was not accepted", "Die Bestätigung eines Punktes wurde nicht angenommen"],
  ["patrol.check_in_refused", { reason: "code_renewed" }, "a check-in was not accepted: the label was an old one", "Die Bestätigung eines Punktes wurde nicht angenommen: das Schild war veraltet"],
  ["patrol.check_in_refused", { reason: "too_far" }, "a check-in was not accepted: too far from the point", "Die Bestätigung eines Punktes wurde nicht angenommen: zu weit vom Punkt entfernt"],
  ["round.started", { tour: "0199-cccccc", guard: "7", points: "4" }, "set out on a round of 4 points", "Rundgang mit 4 Punkten begonnen"],
  ["round.point_reached", { point: "0199-bbbbbb", standing: "on_time" }, "reached point …bbbbbb in time", "Punkt …bbbbbb pünktlich erreicht"],
  ["round.point_reached", { point: "gate", standing: "late" }, "reached point North gate late", "Punkt North gate verspätet erreicht"],
  ["round.point_reached", { point: "gate", standing: "missed" }, "reached point North gate after it was missed", "Punkt North gate erreicht, nachdem er versäumt war"],
  ["round.point_overdue", { point: "gate", guard: "7", until: "2026-11-23T18:15:00Z" }, /^point North gate is late: Amina was to be there by \d\d:15:00$/, /^Punkt North gate ist überfällig: Amina sollte bis \d\d:15:00 dort sein$/],
  ["round.point_missed", { point: "gate", guard: "7", until: "2026-11-23T18:15:00Z" }, /^point North gate was missed: Amina was to be there by \d\d:15:00$/, /^Punkt North gate wurde versäumt: Amina sollte bis \d\d:15:00 dort sein$/],
  ["round.point_handled", { point: "gate", by: "7", sent: "8" }, "sent Bela to point North gate", "Bela zu Punkt North gate geschickt"],
  ["round.point_handled", { point: "gate", by: "7", note: "locked" }, "noted of point North gate: locked", "Zu Punkt North gate vermerkt: locked"],
  ["round.point_handled", { point: "gate", by: "7", sent: "8", note: "locked" }, "sent Bela to point North gate, and noted: locked", "Bela zu Punkt North gate geschickt und vermerkt: locked"],
  ["round.point_handled", { point: "gate", by: "7", note: null }, "noted something of point North gate that was erased", "Zu Punkt North gate etwas vermerkt, das gelöscht wurde"],
  ["round.finished", { reason: "done", reached: "3", missed: "1", durationMilliseconds: "65000" }, "finished the round after 1 min 05 s: 3 reached, 1 not reached", "Rundgang beendet nach 1 min 05 s: 3 erreicht, 1 nicht erreicht"],
  ["round.finished", { reason: "stopped", reached: "1", missed: "2", durationMilliseconds: "65000" }, "stopped the round after 1 min 05 s: 1 reached, 2 left out", "Rundgang abgebrochen nach 1 min 05 s: 1 erreicht, 2 ausgelassen"],
  ["round.finished", { reason: "expired", reached: "1", missed: "2", durationMilliseconds: "65000" }, "the round is over after 1 min 05 s: 1 reached, 2 not reached", "Der Rundgang ist nach 1 min 05 s abgelaufen: 1 erreicht, 2 nicht erreicht"],
  ["guard.alarm_raised", { guard: "7", fix: place(12) }, "raised the alarm at 51.65650, -0.39030", "Alarm ausgelöst bei 51.65650, -0.39030"],
  ["guard.alarm_raised", { guard: "7", fix: place(12, "2026-11-23T17:55:00Z") }, "raised the alarm at 51.65650, -0.39030 – measured 5 min 00 s before", "Alarm ausgelöst bei 51.65650, -0.39030 – 5 min 00 s vorher gemessen"],
  ["guard.alarm_raised", { guard: "7" }, "raised the alarm", "Alarm ausgelöst"],
  ["guard.alarm_raised", { guard: "7", fix: null }, "raised the alarm, at a place that was erased", "Alarm ausgelöst, an einem Ort, der gelöscht wurde"],
  ["guard.alarm_answered", { by: "7" }, "took up the alarm", "Alarm angenommen"],
  ["alert.reported", { channel: "sms", outcome: "delivered" }, "the alert was delivered by SMS", "der Alarm wurde per SMS zugestellt"],
  ["alert.answered", { channel: "sms", answer: "other", text: "who is this?" }, "the contact answered the alert: who is this?", "der Kontakt hat auf den Alarm geantwortet: who is this?"],
  ["call_out.opened", { chain: "night", severity: "critical", text: "Fire at the gate" }, "called people out by night (critical): Fire at the gate", "Alarmiert nach night (kritisch): Fire at the gate"],
  ["call_out.opened", { chain: "night", severity: "warning" }, "called people out by night (warning)", "Alarmiert nach night (Warnung)"],
  ["call_out.opened", { chain: "night", severity: "warning", text: null }, "called people out by night (warning), with words that were erased", "Alarmiert nach night (Warnung), mit Worten, die gelöscht wurden"],
  ["call_out.escalated", { step: "1", people: "1", cause: "opening" }, "step 1 of the call-out calls 1 person", "Stufe 1 der Alarmierung ruft 1 Person"],
  ["call_out.escalated", { step: "2", people: "3", cause: "timeout" }, "nobody answered: step 2 of the call-out calls 3 people", "Keine Antwort: Stufe 2 der Alarmierung ruft 3 Personen"],
  ["call_out.ended", { end: "acknowledged" }, "has it: the call-out is over", "Übernommen: Die Alarmierung ist zu Ende"],
  ["report.submitted", { species: "sea-lion", condition: "entangled" }, "reported an animal: Sea lion, entangled", "Tier gemeldet: Seelöwe, verfangen"],
  ["report.submitted", { species: "grey-wolf", condition: "injured" }, "reported an animal: grey wolf, injured", "Tier gemeldet: grey wolf, verletzt"],
  ["report.status_changed", { to: "heading_out" }, "heads out", "Auf dem Weg"],
  ["report.status_changed", { to: "rescued", note: "by boat" }, "rescued the animal: by boat", "Tier gerettet: by boat"],
  ["report.status_changed", { from: "acknowledged", to: "heading_out" }, "heads out", "Auf dem Weg"],
  ["report.status_changed", { from: "on_scene", to: "heading_out" }, "took the last step back: is on scene", "Letzten Schritt zurückgenommen: Vor Ort"],
  ["report.status_changed", { from: "rescued", to: "on_scene", note: "it fled" }, "took the last step back: rescued the animal: it fled", "Letzten Schritt zurückgenommen: Tier gerettet: it fled"],
  ["report.status_changed", { from: "not_found", to: "acknowledged" }, "opened the report again", "Meldung wieder geöffnet"],
  ["report.assigned", { agency: "0199-bbbbbb", rule: "timeout" }, "nobody took it: the report went to the next agency", "Niemand hat übernommen: Die Meldung ging an die nächste Stelle"],
  ["report.photo_added", { width: "640", height: "480" }, "added a photo to the report, 640 × 480", "Foto zur Meldung hinzugefügt, 640 × 480"],
  ["report.update_added", { text: "behind the pier" }, "wrote of the rescue: behind the pier", "Zur Rettung vermerkt: behind the pier"],
  ["report.update_added", { text: null }, "wrote something of the rescue that was erased", "Zur Rettung etwas vermerkt, das gelöscht wurde"],
  ["report.joined", { into: "0199-bbbbbb", by: "7" }, "joined the report to report …bbbbbb, as the same animal", "Mit Meldung …bbbbbb zusammengelegt: dasselbe Tier"],
  ["report.separated", { by: "7" }, "made the report one of its own again", "Meldung wieder einzeln geführt"],
  ["report.visibility_set", { of: "reporter_photos", isPublic: "true" }, "agreed to publish the photos", "Zugestimmt, die Fotos zu veröffentlichen"],
  ["report.visibility_set", { of: "reporter_photos", isPublic: "false" }, "did not agree to publish the photos", "Nicht zugestimmt, die Fotos zu veröffentlichen"],
  ["report.visibility_set", { of: "report", isPublic: "false", by: "7" }, "hid the report from the public pages", "Meldung auf den öffentlichen Seiten ausgeblendet"],
  ["report.visibility_set", { of: "report", isPublic: "true", by: "7" }, "showed the report on the public pages again", "Meldung auf den öffentlichen Seiten wieder gezeigt"],
  ["report.visibility_set", { of: "photo", photo: "ab12", isPublic: "true", by: "7" }, "published a photo", "Foto veröffentlicht"],
  ["report.visibility_set", { of: "photo", photo: "ab12", isPublic: "false", by: "7" }, "hid a photo from the public pages", "Foto auf den öffentlichen Seiten ausgeblendet"],
  ["report.attached", { incident: "0199-bbbbbb", by: "7" }, "put the report into incident …bbbbbb", "Meldung dem Einsatz …bbbbbb zugeordnet"],
  ["report.detached", { incident: "0199-bbbbbb", by: "7" }, "took the report out of the incident", "Meldung aus dem Einsatz genommen"],
  ["agency.place_shared", {}, "shared the team's place, or stopped it", "Standort des Teams geteilt oder das Teilen beendet"],
  ["agency.defined", {}, "set up a rescue agency", "Rettungsstelle eingerichtet"],
  ["agency.members_set", {}, "said who works for a rescue agency", "Mitglieder einer Rettungsstelle festgelegt"],
  ["alert.failed", { channel: "push", error: "410" }, "the alert was not sent by push: 410", "Der Alarm wurde nicht per Push gesendet: 410"],
];

for (const [kind, says, first, second, more] of lines) {
  test(`${kind} is said in both languages: ${first}`, () => {
    const found = inBoth(entry(kind, says, more));
    [first, second].forEach((wanted, index) => (wanted instanceof RegExp ? assert.match(found[index], wanted) : assert.equal(found[index], wanted)));
  });
}

test("every kind of entry that a timeline has is said above", () => {
  const ofIncidents = ["session", "chat", "location", "stream", "incident", "alert", "call_out", "round", "guard", "report", "agency", "camera"];
  const kinds = readdirSync(new URL("../../fixtures/events/", import.meta.url)).map((name) => name.replace(/_\d+\.json$/, "")).filter((kind) => ofIncidents.includes(kind.split(".")[0]));
  assert.ok(kinds.length > 30, `${kinds.length} kinds`);
  assert.deepEqual([...new Set(kinds)].filter((kind) => !lines.some(([said]) => said === kind)), []);
});

test("every word of the ledger's own has one of each language's", () => {
  const closed = {
    "session.released": ["reason", ["left_open", "logout", "disconnect", "given_back"]], "session.activity_signalled": ["activity", ["typing", "opened", "streaming"]],
    "session.request_sent": ["ask", ["start_video", "stop_video", "send_location"]], "session.request_answered": ["answer", ["accepted", "declined", "stale"]],
    "location.unavailable": ["reason", ["denied", "timeout", "stale"]], "stream.viewed": ["mode", ["live", "seek_back", "recorded", "still"]],
    "stream.interrupted": ["reason", ["silence", "disconnected"]], "stream.torch_toggled": ["light", ["on", "off"]],
    "patrol.check_in_refused": ["reason", ["bad_code", "too_far", "duplicate", "code_renewed"]], "chat.message_delivered": ["to", ["caller", "operator", "system"]],
    "camera.standing_changed": ["standing", ["online", "offline", "frozen"]], "camera.footage_expired": ["cause", ["days", "space"]],
    "alert.reported": ["outcome", ["accepted", "undeliverable", "delivered"]],
    "report.assigned": ["rule", ["jurisdiction", "nearest", "timeout", "manual"]],
    "report.status_changed": ["to", ["submitted", "acknowledged", "heading_out", "on_scene", "rescued", "released", "deceased", "not_found", "stood_down"]],
    "call_out.escalated": ["cause", ["opening", "timeout", "manual"]], "call_out.ended": ["end", ["acknowledged", "exhausted", "cancelled", "resolved"]], "alert.answered": ["answer", ["acknowledged", "stopped", "resumed", "other"]],
  };
  for (const [kind, [part, values]] of Object.entries(closed)) {
    const found = values.map((value) => inBoth(entry(kind, { [part]: value })));
    for (const index of [0, 1]) assert.equal(new Set(found.map((both) => both[index])).size, values.length, kind);
    for (const [first, second] of found) assert.ok(first !== second && !/_|said\./.test(first + second), `${kind}: ${first} / ${second}`);
  }
});

test("who did it goes by name and role, by role and number, or is the caller", () => {
  const by = (actor) => whoDid(entry("session.sealed", {}, { actor }), names);
  assert.deepEqual(["operator/7", "supervisor/9", "org-admin/9", "device/d", "stranger/unknown", "recorder/archive"].map(by), ["Amina, operator", "Supervisor 9", "Admin of the organisation 9", "Caller", "Reporter", "Daybook"]);
  use(german, "de");
  assert.deepEqual(["operator/7", "supervisor/9", "device/d", "stranger/unknown", "recorder/archive"].map(by), ["Amina, Disposition", "Aufsicht 9", "Anrufer", "Melder", "Daybook"]);
});

test("every line is of a kind that can be chosen", () => {
  for (const [kind, says] of lines) assert.ok(groups.includes(groupOf(entry(kind, says))), kind);
});
