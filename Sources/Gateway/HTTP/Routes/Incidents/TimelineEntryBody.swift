// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// One event of a timeline as the interface shows it.
struct TimelineEntryBody: Encodable {
    let position: String
    let subject: Subject
    let revision: String
    let id: EventID
    let type: Kind
    let actor: Actor
    /// When the server recorded it.
    let time: Timestamp
    /// When the device claims that it happened.
    let occurredAt: Timestamp?
    /// How far the claim was behind, in milliseconds.
    let skewMilliseconds: Int?
    let file: FileBody?
    /// Present where it happened before its subject came to this incident.
    let isEarlier: Bool?
    let summary: [PartBody]

    /// A range of a recording.
    struct FileBody: Encodable {
        let name: String
        let offset: Int?
        let length: Int?
        let firstMilliseconds: Int?
        let lastMilliseconds: Int?
    }

    /// One part of what it says.
    struct PartBody: Encodable {
        let name: String
        /// Absent when erased.
        let value: String?
        let isSealed: Bool
    }

    /// Shows an entry; to a caller without what the centre wrote for itself when it closed the session.
    init(_ entry: TimelineEntry, _ keys: ReadingKeys, isForCaller: Bool) throws {
        position = "\(entry.position)"
        subject = entry.subject
        revision = "\(entry.revision)"
        id = entry.id
        type = entry.kind
        actor = entry.actor
        time = entry.time
        occurredAt = entry.occurredAt
        skewMilliseconds = entry.skew.map { Int($0 / .milliseconds(1)) }
        file = entry.file.map {
            FileBody(
                name: $0.name,
                offset: $0.offset,
                length: $0.length,
                firstMilliseconds: $0.firstMilliseconds,
                lastMilliseconds: $0.lastMilliseconds
            )
        }
        isEarlier = entry.isEarlier ? true : nil
        let isNoteHidden = isForCaller && entry.kind == SessionClosed.kind
        summary = try entry.summary.filter { !isNoteHidden || $0.name != "note" }
            .map { try PartBody($0, keys) }
    }
}

extension TimelineEntryBody.PartBody {
    init(_ part: SummaryPart, _ keys: ReadingKeys) throws {
        name = part.name
        switch part.value {
        case .text(let text): (value, isSealed) = (text, false)
        case .sealed(let field):
            guard let key = keys.key(of: field.person) else {
                (value, isSealed) = (nil, true)
                return
            }
            let secret = key.fieldSecret(event: field.event, pointer: field.pointer)
            let plain = try field.plainBytes(withFieldSecret: secret)
            (value, isSealed) = (Self.shown(String(decoding: plain, as: UTF8.self)), true)
        }
    }

    /// A sealed text without its quotes; other values as they are in JSON.
    private static func shown(_ json: String) -> String {
        guard json.hasPrefix("\"") else { return json }
        do {
            return try JSONText.string(json)
        } catch {
            return json
        }
    }
}

extension TimelineEntry {
    /// About how many bytes it has: its summary, and what every entry has besides.
    var bytes: Int {
        summary.reduce(256) { sum, part in
            switch part.value {
            case .text(let text): sum + text.utf8.count
            case .sealed(let field): sum + field.box.utf8.count
            }
        }
    }
}
