// SPDX-License-Identifier: Apache-2.0
/// Reads an envelope from both ends: what stands before `data`, forwards; what stands behind it, backwards.
///
/// No value of the envelope needs an escape, so quotes delimit them and `data` need not be parsed to be skipped.
struct EntryScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var low = 0
    private var high: Int

    /// Reads an entry.
    static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(EntryError) -> (envelope: Envelope, data: Range<Int>) {
        var scanner = EntryScanner(bytes: bytes, high: bytes.count)
        return try scanner.scan()
    }

    private mutating func scan() throws(EntryError) -> (envelope: Envelope, data: Range<Int>) {
        try expectLast("\"}")
        let kind = try last("type", Kind.init)
        let time = try last("time", Timestamp.init(canonical:))
        let subject = try last("subject", Subject.init)
        try expectLastMember("specversion", "1.0")
        let source = try last("source", { isOrigin($0) ? $0 : nil })
        let revision = try last("revision", Revision.init)
        let position = try last("position", LogPosition.init)
        let organisation = try last("org", OrganisationID.init)
        let occurredAt = try lastIfPresent("occurredat", Timestamp.init(canonical:))
        let id = try last("id", EventID.init)
        // `high` stands where the closing quote of the member before would be; `data` ends without one.
        high += 1
        try expectFirst("{")
        let actor = try first("actor", Actor.init)
        let causation = try firstIfPresent("causationid", EventID.init)
        let commandHash = try firstIfPresent("commandhash", CommandHash.init)
        let command = try first("commandid", CommandID.init)
        let correlation = try firstIfPresent("correlationid", { isName($0) ? $0 : nil })
        try expectFirst("\"data\":")
        guard low < high else { throw EntryError(reason: "data is missing") }
        let envelope = Envelope(
            id: id,
            subject: subject,
            kind: kind,
            position: position,
            revision: revision,
            time: time,
            occurredAt: occurredAt,
            organisation: organisation,
            actor: actor,
            command: command,
            commandHash: commandHash,
            correlation: correlation,
            causation: causation,
            source: source
        )
        return (envelope, low..<high)
    }
}

extension EntryScanner {
    private init(bytes: UnsafeBufferPointer<UInt8>, high: Int) {
        self.bytes = bytes
        self.high = high
    }

    // MARK: Forwards, each member read with its comma.

    private mutating func expectFirst(_ text: StaticString) throws(EntryError) {
        guard starts(with: text, at: low) else {
            throw EntryError(reason: "\(text) is missing at byte \(low)")
        }
        low += text.utf8CodeUnitCount
    }

    private mutating func first<Value>(
        _ name: StaticString,
        _ read: (String) -> Value?
    ) throws(EntryError) -> Value {
        guard let value = try firstIfPresent(name, read) else {
            throw EntryError(reason: "member \(name) is missing at byte \(low)")
        }
        return value
    }

    private mutating func firstIfPresent<Value>(
        _ name: StaticString,
        _ read: (String) -> Value?
    ) throws(EntryError) -> Value? {
        let open = low + 1 + name.utf8CodeUnitCount
        guard open + 3 <= high, bytes[low] == UInt8(ascii: "\""), starts(with: name, at: low + 1),
            starts(with: "\":\"", at: open)
        else { return nil }
        var end = open + 3
        while end < high, bytes[end] != UInt8(ascii: "\"") { end += 1 }
        guard starts(with: "\",", at: end) else {
            throw EntryError(reason: "member \(name) does not end")
        }
        low = end + 2
        return try value(name, open + 3..<end, read)
    }

    // MARK: Backwards, with `high` always just before a closing quote.

    private mutating func expectLast(_ text: StaticString) throws(EntryError) {
        let start = high - text.utf8CodeUnitCount
        guard start >= 0, starts(with: text, at: start) else {
            throw EntryError(reason: "\(text) is missing at the end")
        }
        high = start
    }

    private mutating func last<Value>(
        _ name: StaticString,
        _ read: (String) -> Value?
    ) throws(EntryError) -> Value {
        guard let value = try lastIfPresent(name, read) else {
            throw EntryError(reason: "member \(name) is missing before byte \(high)")
        }
        return value
    }

    private mutating func expectLastMember(
        _ name: StaticString,
        _ expected: String
    ) throws(EntryError) {
        let found = try last(name, { $0 })
        guard found == expected else {
            throw EntryError(reason: "member \(name) is \(found) instead of \(expected)")
        }
    }

    private mutating func lastIfPresent<Value>(
        _ name: StaticString,
        _ read: (String) -> Value?
    ) throws(EntryError) -> Value? {
        guard high >= 0, bytes[high] == UInt8(ascii: "\"") else {
            throw EntryError(reason: "no text ends at byte \(high)")
        }
        var start = high
        while start > 0, bytes[start - 1] != UInt8(ascii: "\"") { start -= 1 }
        // `…","name":"value`: three bytes `":"`, the name, its quote and the comma stand before the value.
        let nameStart = start - 3 - name.utf8CodeUnitCount
        guard nameStart >= 3, starts(with: "\":\"", at: start - 3),
            starts(with: name, at: nameStart),
            starts(with: ",\"", at: nameStart - 2)
        else { return nil }
        let range = start..<high
        high = nameStart - 3
        return try value(name, range, read)
    }

    // MARK: Both

    private func value<Value>(
        _ name: StaticString,
        _ range: Range<Int>,
        _ read: (String) -> Value?
    ) throws(EntryError) -> Value {
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        guard !text.utf8.contains(UInt8(ascii: "\\")), let value = read(text) else {
            throw EntryError(reason: "member \(name) cannot be \"\(text)\"")
        }
        return value
    }

    private func starts(with text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index >= 0, index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }
}
