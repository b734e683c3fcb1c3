// SPDX-License-Identifier: Apache-2.0
/// Where the members of an entry stand in its bytes, read without making a single string.
///
/// The auditor's own reader of the envelope, apart from the one that the log uses: what the members mean is checked here
/// again, byte by byte. `data` is only delimited; that it is one canonical value is for the caller to check.
struct EntryLayout {
    var actor = 0..<0
    var command = 0..<0
    var data = 0..<0
    var id = 0..<0
    var source = 0..<0
    var subject = 0..<0
    var time = 0..<0
    var kind = 0..<0
    var position: UInt64 = 0
    var revision: UInt64 = 0
    /// Grows with the time that the entry states; not in any unit.
    var timeOrder: UInt64 = 0

    /// Reads an entry.
    ///
    /// - Throws: ``EntryFault`` with the member that is wrong.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(EntryFault) {
        var text = EntryText(bytes)
        try readTail(&text)
        try readHead(&text)
        guard text.low < text.high else { throw EntryFault("data", "is missing") }
        data = text.low..<text.high
    }

    private mutating func readTail(_ text: inout EntryText) throws(EntryFault) {
        try text.dropEnd("\"}", "type")
        kind = try text.last("type", prefix: "\",\"type\":\"")
        guard text.isName(kind) else { throw EntryFault("type", "is no kind") }
        time = try text.last("time", prefix: "\",\"time\":\"")
        guard let order = text.timeOrder(time) else {
            throw EntryFault("time", "is no RFC 3339 time with microseconds in UTC")
        }
        timeOrder = order
        subject = try text.last("subject", prefix: "\",\"subject\":\"")
        guard text.isName(subject) else { throw EntryFault("subject", "is no subject") }
        try text.dropEnd("\",\"specversion\":\"1.0", "specversion")
        source = try text.last("source", prefix: "\",\"source\":\"")
        revision = try text.number("revision", prefix: "\",\"revision\":\"")
        position = try text.number("position", prefix: "\",\"position\":\"")
        let organisation = try text.last("org", prefix: "\",\"org\":\"")
        guard text.isWord(organisation) else { throw EntryFault("org", "is no organisation") }
        if let occurred = text.lastIfPresent(prefix: "\",\"occurredat\":\"") {
            guard text.timeOrder(occurred) != nil else {
                throw EntryFault("occurredat", "is no RFC 3339 time with microseconds in UTC")
            }
        }
        id = try text.last("id", prefix: ",\"id\":\"")
    }

    private mutating func readHead(_ text: inout EntryText) throws(EntryFault) {
        actor = try text.first("actor", prefix: "{\"actor\":\"")
        guard text.isName(actor) else { throw EntryFault("actor", "is no actor") }
        if let causation = try text.firstIfPresent("causationid", prefix: ",\"causationid\":\"") {
            guard text.isUUID(causation) else { throw EntryFault("causationid", "is no UUIDv7") }
        }
        if let hash = try text.firstIfPresent("commandhash", prefix: ",\"commandhash\":\"") {
            guard hash.count == 24, text.isWord(hash) else {
                throw EntryFault("commandhash", "is no hash of a command")
            }
        }
        command = try text.first("commandid", prefix: ",\"commandid\":\"")
        guard text.isWord(command) else { throw EntryFault("commandid", "is no command id") }
        if let correlation = try text.firstIfPresent(
            "correlationid",
            prefix: ",\"correlationid\":\""
        ) {
            guard text.isName(correlation) else { throw EntryFault("correlationid", "is no name") }
        }
        guard text.skip(",\"data\":") else { throw EntryFault("data", "is missing") }
    }
}

/// What is wrong with an entry.
struct EntryFault: Error, CustomStringConvertible {
    let member: StaticString
    let fact: StaticString

    init(_ member: StaticString, _ fact: StaticString) {
        self.member = member
        self.fact = fact
    }

    var description: String { "its member \(member) \(fact)" }
}
