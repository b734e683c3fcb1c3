// SPDX-License-Identifier: Apache-2.0
/** English, as it is said aloud. Every other catalogue has the same keys, and in each the same `{names}`; a test looks. */
export default {
  "bar.call": "In danger of life, telephone {emergency}.",
  "bar.kept": "What you write is kept, and sent when the connection is back.",
  "bar.offline": "No network since {time}.",
  "bar.since": "Not connected since {time}.",
  "bar.stale": "What you see may be old.",

  "chat.again": "Send again",
  "chat.erased": "This message was erased.",
  "chat.log": "Messages",
  "chat.new": { one: "↓ {count} new message", other: "↓ {count} new messages" },
  "chat.passed-over": "The centre has not answered this message. Send it again, or say it in other words.",
  "chat.picture": "Picture",
  "chat.picture.again": "Press to try again.",
  "chat.picture.erased": "This picture was erased.",
  "chat.picture.large": "Show it large",
  "chat.picture.mine": "Picture that you sent",
  "chat.picture.none": "This file is not a picture that can be sent.",
  "chat.picture.tab": "In a new tab",
  "chat.picture.theirs": "Picture from the other side",
  "chat.state.delivered": "Delivered",
  "chat.state.doubtful": "May not have arrived",
  "chat.state.failed": "Not sent",
  "chat.state.queued": "Waiting to be sent",
  "chat.state.seen": "Seen",
  "chat.state.taken": "At the centre",
  "chat.too-long": "This text is too long by {percent} %. Shorten it, or send it in parts.",

  "front.danger": "In danger of life, telephone",
  "front.help": "I need help",
  "front.help.more": "Chat, show video or send your location to the emergency centre.",
  "front.replay": "Play an incident back",
  "front.work": "I work here",
  "front.work.more": "The operators’ console.",

  "page.again-in": "Try again in {time}",
  "page.close": "Close",
  "page.notices": "Notices",

  "phone.fault": "Write the number with + and its country code, such as +44 7712 345678.",
  "phone.fault.trunk": "Write the number as it is dialled here, beginning with {trunk}, or with + and its country code.",

  "time.hours": "{hours} h {minutes} min",
  "time.minutes": "{minutes} min {seconds} s",
  "time.seconds": "{seconds} s",
};
