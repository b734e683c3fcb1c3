// SPDX-License-Identifier: Apache-2.0
/** English of the page on which a message is answered. */
export default {
  "answer.again": "Try again",
  "answer.answered": "This message was answered.",
  "answer.ask": "The message says what it is about. Do you take care of it?",
  "answer.away": "The centre cannot be reached now. Try again, or call the centre.",
  "answer.have": "I have it",
  "answer.no-script": "This page needs JavaScript. Reply to the message, or call the centre.",
  "answer.only-then": "The centre is told only when you press the button.",
  "answer.over": "This is over. You have nothing more to do.",
  "answer.reading": "Reading …",
  "answer.sent": "Message sent:",
  "answer.severity.critical": "Urgent",
  "answer.severity.info": "For information",
  "answer.severity.warning": "Important",
  "answer.thanks": "Thank you: the centre knows that you have it.",
  "answer.title": "Answer a message",
  "answer.unknown": "This link is not known here. Open it once more from the message, or call the centre.",
};
