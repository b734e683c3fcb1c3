// SPDX-License-Identifier: Apache-2.0
/// The part of an entry that its author can write: everything in canonical order up to `org`.
///
/// Of the members of an entry, `position` and those behind it stand behind `data`, `id`, `occurredat` and `org`
/// in the order of RFC 8785, so that the writer only adds a tail.
public struct EntryHead: Hashable, Sendable {
    /// The text from the opening brace to the end of `org`: `{"actor":…,"org":"…"`.
    public let bytes: [UInt8]
    public let id: EventID
    public let kind: Kind
    /// Subjects that the event is linked to, and as what.
    public let links: [SubjectLink]

    /// Writes the head of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - data: Its payload in canonical JSON, sealed.
    ///   - stamp: The command that asked for it.
    ///   - commandHash: By what a repetition of that command is known.
    /// - Throws: ``EventLogError/tooLarge(kind:bytes:limit:)``, ``EventLogError/unacceptable(reason:)``.
    public init(
        _ event: Event,
        data: [UInt8],
        stamp: CommandStamp,
        commandHash: CommandHash? = nil
    ) throws(EventLogError) {
        if let correlation = stamp.correlation, !isName(correlation) {
            throw .unacceptable(
                reason: "the correlation id \"\(correlation)\" is no name such as incident/0199…"
            )
        }
        id = event.id
        kind = event.fact.kind
        links = event.fact.links
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 400 + EventLimits.tailBytesMax)
        bytes.append(member: #"{"actor":""#, stamp.actor.text)
        if let causation = event.causation {
            bytes.append(member: #"","causationid":""#, causation.uuid)
        }
        if let commandHash {
            bytes.append(member: #"","commandhash":""#, commandHash.text)
        }
        bytes.append(member: #"","commandid":""#, stamp.command.text)
        if let correlation = stamp.correlation {
            bytes.append(member: #"","correlationid":""#, correlation)
        }
        bytes.append(contentsOf: #"","data":"#.utf8)
        bytes.append(contentsOf: data)
        bytes.append(member: #","id":""#, event.id.uuid)
        if let occurredAt = event.occurredAt {
            bytes.append(member: #"","occurredat":""#, occurredAt)
        }
        bytes.append(member: #"","org":""#, stamp.organisation.text)
        bytes.append(UInt8(ascii: "\""))
        let limit = EventLimits.entryBytesMax - EventLimits.tailBytesMax
        guard bytes.count <= limit else {
            throw .tooLarge(kind: kind, bytes: bytes.count, limit: limit)
        }
        self.bytes = bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(member name: StaticString, _ value: String) {
        append(contentsOf: name)
        append(contentsOf: value.utf8)
    }

    fileprivate mutating func append(member name: StaticString, _ value: UUIDv7) {
        append(contentsOf: name)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            value.write(into: buffer)
            append(contentsOf: buffer)
        }
    }

    fileprivate mutating func append(member name: StaticString, _ value: Timestamp) {
        append(contentsOf: name)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { buffer in
            value.write(into: buffer)
            append(contentsOf: buffer)
        }
    }

    fileprivate mutating func append(contentsOf text: StaticString) {
        append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }
}

extension EntryHead {
    /// The bytes of the whole entry, as the log's writer lays them down.
    ///
    /// For tools that make a log without a writer; what they made is checked when it is restored.
    package func entry(
        at position: LogPosition,
        _ revision: Revision,
        of subject: Subject,
        time: Timestamp,
        source: String
    ) -> [UInt8] {
        let tail = EntryTail(
            position: position,
            revision: revision,
            source: source,
            subject: subject,
            time: time,
            kind: kind
        )
        return bytes
            + [UInt8](unsafeUninitializedCapacity: EventLimits.tailBytesMax) { buffer, count in
                count = tail.write(into: buffer)
            }
    }
}
