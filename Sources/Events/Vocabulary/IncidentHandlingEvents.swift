// SPDX-License-Identifier: Apache-2.0

/// What the incident is, and how urgent; the last one counts.
public struct IncidentClassified: EventPayload {
    public static let row = EventKind(
        "incident.classified/1",
        IncidentEvent.classified,
        audience: .centre,
        timeline: true,
        summary: [
            .init("type", \.type), .init("priority", \.priority), .init("typeBefore", \.typeBefore),
            .init("priorityBefore", \.priorityBefore),
        ]
    )

    /// The centre's word for it.
    public let type: String
    /// 1 is the most urgent, 5 the least.
    public let priority: Int
    /// What it was taken for before.
    public let typeBefore: String
    public let priorityBefore: Int

    public init(type: String, priority: Int, typeBefore: String, priorityBefore: Int) {
        self.type = type
        self.priority = priority
        self.typeBefore = typeBefore
        self.priorityBefore = priorityBefore
    }

    public var links: [SubjectLink] { [] }
}

/// Somebody of the centre wrote something down about the incident, for the centre alone.
public struct IncidentNoteAdded: EventPayload {
    public static let row = EventKind(
        "incident.note_added/1",
        IncidentEvent.noteAdded,
        audience: .centre,
        timeline: true,
        summary: [.init("session", \.session), .init("text", \.text)]
    )

    public let note: NoteID
    /// Of whose contact it speaks; it is read by who may read that session, and forgotten with its caller.
    public let session: SessionID
    public let text: Sealed<String>

    public init(note: NoteID, session: SessionID, text: Sealed<String>) {
        self.note = note
        self.session = session
        self.text = text
    }

    public var links: [SubjectLink] { [] }
}

/// A span of a camera's footage belongs to the incident, and is kept for as long as the ledger is.
public struct IncidentFootageKept: EventPayload {
    public static let row = EventKind(
        "incident.footage_kept/1",
        IncidentEvent.footageKept,
        audience: .centre,
        timeline: true,
        linksDigest: 0xD7F0_52F9,
        summary: [
            .init("camera", \.name), .init("from", \.firstAt), .init("until", \.lastAt),
        ]
    )

    public let camera: CameraID
    /// What the camera was called then.
    public let name: String
    public let firstAt: Timestamp
    public let lastAt: Timestamp

    public init(camera: CameraID, name: String, firstAt: Timestamp, lastAt: Timestamp) {
        self.camera = camera
        self.name = name
        self.firstAt = firstAt
        self.lastAt = lastAt
    }

    public var links: [SubjectLink] { [.about(.camera(camera))] }
}
