// SPDX-License-Identifier: Apache-2.0
/** English of the cameras near a place. */
export default {
  "nearby.of": "{name} · {metres} m",
  "nearby.standing.frozen": "frozen",
  "nearby.standing.offline": "offline",
  "nearby.standing.online": "online",
  "nearby.standing.unknown": "unknown",
  "nearby.title": "Cameras nearby",
};
