// SPDX-License-Identifier: Apache-2.0
public import Events

/// A parser of the ledger's formats, and what must hold of it for any bytes.
public struct EventParser: Sendable {
    /// What a fuzzer calls it.
    public let name: String
    /// Bytes that it accepts.
    public let samples: @Sendable () throws -> [[UInt8]]
    /// Whether it accepts the bytes; throws ``ParserFault`` when it breaks a promise.
    public let examine: @Sendable ([UInt8]) throws -> Bool

    /// Every parser of bytes that a ledger or its readers take from outside.
    public static let all: [EventParser] = [
        entry, eventData, canonicalJSON, note, checkpoint, verifierKey, tilePath, bundle,
    ]

    /// The error's text is part of the promise: it must be there and never trap.
    static func refuses(_ error: any Error) throws -> Bool {
        guard !"\(error)".isEmpty else { throw ParserFault("refused without a word") }
        return false
    }
}

extension EventParser {
    /// Printing what was read of an entry gives its bytes; with canonical `data` all of it is canonical.
    public static let entry = EventParser(name: "entry") {
        try EventSamples.entries()
    } examine: { bytes in
        let entry: Entry
        do { entry = try Entry(parsing: bytes) } catch { return try refuses(error) }
        guard entry.bytes == bytes, entry.envelope.printed(around: entry.data) == bytes else {
            throw ParserFault("an entry prints otherwise than it was read")
        }
        guard isCanonical(Array(entry.data)) == isCanonical(bytes) else {
            throw ParserFault(
                "an entry is not canonical, though its data is, or the other way round"
            )
        }
        return true
    }

    /// The first byte chooses the kind, the rest is `data`: what is read is canonical and is written as it was read.
    public static let eventData = EventParser(name: "data") {
        try EventSamples.payloads()
    } examine: { bytes in
        guard let first = bytes.first else { return false }
        let rows = EventCatalog.current.rows
        let kind = rows[Int(first) % rows.count].kind
        let data = bytes.dropFirst()
        let fact: Fact
        do {
            fact = try EventDecoder().decode(data, of: kind, id: EventSamples.id)
        } catch { return try refuses(error) }
        guard isCanonical(Array(data)) else {
            throw ParserFault("\(kind): read though not canonical")
        }
        // An old kind is written as what took its place.
        let encoder = EventEncoder(keys: NoKeys())
        let printed = try encoder.encode(fact, id: EventSamples.id)
        let again = try EventDecoder().decode(printed[...], of: fact.kind, id: EventSamples.id)
        guard again == fact, try encoder.encode(again, id: EventSamples.id) == printed else {
            throw ParserFault("\(kind): what was written reads otherwise")
        }
        return true
    }

    /// What is checked as canonical stays as it is; what is rewritten is canonical, and rewritten to itself.
    public static let canonicalJSON = EventParser(name: "json") {
        try EventSamples.payloads().map { Array($0.dropFirst()) }
            + ["[1,2.5,-3e-7,\"é\\n\",null,true,{}]", " { \"b\" : [ 1E2 ] , \"a\" : -0.10 } "]
            .map { Array($0.utf8) }
    } examine: { bytes in
        let canonical: [UInt8]
        do { canonical = try CanonicalJSON.canonicalise(bytes) } catch {
            guard !isCanonical(bytes) else {
                throw ParserFault("canonical, but not rewritten: \(error)")
            }
            return try refuses(error)
        }
        try CanonicalJSON.check(canonical)
        guard try CanonicalJSON.canonicalise(canonical) == canonical else {
            throw ParserFault("rewriting what is canonical changes it")
        }
        guard isCanonical(bytes) == (canonical == bytes) else {
            throw ParserFault("check and rewriting do not agree on what is canonical")
        }
        return true
    }

    static func isCanonical(_ bytes: [UInt8]) -> Bool {
        do {
            try CanonicalJSON.check(bytes)
            return true
        } catch {
            return false
        }
    }
}

extension Envelope {
    /// An entry as its format says it (RFC 8785 order), written from this envelope without the code under test.
    public func printed(around data: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array("{\"actor\":\"\(actor)\"".utf8)
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            bytes += Array(",\"\(name)\":\"\(value)\"".utf8)
        }
        add("causationid", causation?.description)
        add("commandhash", commandHash?.text)
        add("commandid", command.description)
        add("correlationid", correlation)
        bytes += Array(",\"data\":".utf8)
        bytes += data
        add("id", id.description)
        add("occurredat", occurredAt?.description)
        add("org", organisation.description)
        add("position", position.description)
        add("revision", revision.description)
        add("source", source)
        add("specversion", "1.0")
        add("subject", subject.description)
        add("time", time.description)
        add("type", kind.description)
        return bytes + [UInt8(ascii: "}")]
    }
}
