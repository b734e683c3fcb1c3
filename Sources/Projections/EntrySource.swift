// SPDX-License-Identifier: Apache-2.0
public import Events

/// Where entries come from: a ledger that is open here, or one that is only read.
public struct EntrySource: Sendable {
    /// The ledger's origin.
    public let origin: String
    /// How many entries there are now.
    public let size: @Sendable () throws -> UInt64
    /// A page of the log from a position on, at most so many entries; empty at the end.
    public let page: @Sendable (LogPosition, Int) throws -> [Entry]
    /// The same past what cannot be read; `nil` where such an entry ends what is asked.
    let run: (@Sendable (LogPosition, Int) throws -> ReadableRun?)?
    /// A page of one subject's entries from a revision on.
    public let ofSubject: @Sendable (Subject, Revision) throws -> [Entry]
    /// A page of the entries that link to a subject, from a position on.
    public let linkedTo: @Sendable (Subject, LogPosition) throws -> [Entry]

    public init(
        origin: String,
        size: @escaping @Sendable () throws -> UInt64,
        page: @escaping @Sendable (LogPosition, Int) throws -> [Entry],
        run: (@Sendable (LogPosition, Int) throws -> ReadableRun?)? = nil,
        ofSubject: @escaping @Sendable (Subject, Revision) throws -> [Entry],
        linkedTo: @escaping @Sendable (Subject, LogPosition) throws -> [Entry]
    ) {
        self.origin = origin
        self.size = size
        self.page = page
        self.run = run
        self.ofSubject = ofSubject
        self.linkedTo = linkedTo
    }

    /// The entries of a log that is open in this process; the log names those that cannot be read.
    public init(_ log: EventLog) {
        self.init(
            origin: log.origin,
            size: { log.size },
            page: { try log.entries(from: $0, limit: $1) },
            run: { try $0.rawValue < log.size ? log.readableRun(from: $0, limit: $1) : nil },
            ofSubject: { try log.entries(of: $0, from: $1) },
            linkedTo: { try log.entries(linkedTo: $0, from: $1) }
        )
    }

    /// The leaf hash of one entry; `nil` if the log is shorter.
    func leaf(at position: LogPosition) throws -> SHA256Digest? {
        guard let run else { return try page(position, 1).first.map(\.leafDigest) }
        return try run(position, 1)?.leaf.map { SHA256Digest(bytes: $0.bytes) }
    }

    /// Reads and decodes the next page, away from the caller's executor.
    @concurrent
    func decodedPage(
        from position: LogPosition,
        limit: Int,
        decoding: PageDecoder
    ) async throws -> EventPage? {
        guard let run else { return try decoding.page(of: page(position, limit)) }
        return try run(position, limit).flatMap { try decoding.page(of: $0, from: position) }
    }
}

extension Entry {
    /// The leaf hash as read models keep it.
    var leafDigest: SHA256Digest { SHA256Digest(bytes: leafHash.bytes) }
}
