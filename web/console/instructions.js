// SPDX-License-Identifier: Apache-2.0

/** What operators say most while a caller waits: by button, by Alt and its number, and by its words in the command bar. */
export const instructions = [
  "Help is on its way.", "Stay where you are if it is safe.", "Is anybody hurt?", "Where are you?", "Please show me with the camera.",
  "Leave the building, and do not use the lift.", "Press firmly on the wound with a clean cloth.", "Push hard and fast on the middle of the chest; I count with you.", "Lay the person on their side, and watch the breathing.",
];
