// SPDX-License-Identifier: Apache-2.0
/** Deutsch der Kameras in der Nähe. */
export default {
  "nearby.of": "{name} · {metres} m",
  "nearby.standing.frozen": "steht",
  "nearby.standing.offline": "offline",
  "nearby.standing.online": "online",
  "nearby.standing.unknown": "unbekannt",
  "nearby.title": "Kameras in der Nähe",
};
