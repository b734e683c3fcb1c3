// SPDX-License-Identifier: Apache-2.0
import Events

extension RecordedEvent {
    /// When the writer recorded it.
    var time: Timestamp { envelope.time }
    /// Its place in the log.
    var position: LogPosition { envelope.position }
    /// Which session, stream, report … it stands on: the subject without its category.
    var subjectName: String { String(envelope.subject.name) }
}

extension Party {
    /// The sides that see what this one writes; each named alone, so that an index leads to its rows.
    var others: [Party] { Party.allCases.filter { $0 != self } }
}

extension PersonErased {
    /// The key id that stands beside plain columns.
    var keyText: String { person.description }
}
