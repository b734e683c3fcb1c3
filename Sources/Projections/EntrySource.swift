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
    /// A page of one subject's entries from a revision on.
    public let ofSubject: @Sendable (Subject, Revision) throws -> [Entry]
    /// A page of the entries that link to a subject, from a position on.
    public let linkedTo: @Sendable (Subject, LogPosition) throws -> [Entry]

    public init(
        origin: String,
        size: @escaping @Sendable () throws -> UInt64,
        page: @escaping @Sendable (LogPosition, Int) throws -> [Entry],
        ofSubject: @escaping @Sendable (Subject, Revision) throws -> [Entry],
        linkedTo: @escaping @Sendable (Subject, LogPosition) throws -> [Entry]
    ) {
        self.origin = origin
        self.size = size
        self.page = page
        self.ofSubject = ofSubject
        self.linkedTo = linkedTo
    }

    /// The entries of a log that is open in this process.
    public init(_ log: EventLog) {
        self.init(
            origin: log.origin,
            size: { log.size },
            page: { try log.entries(from: $0, limit: $1) },
            ofSubject: { try log.entries(of: $0, from: $1) },
            linkedTo: { try log.entries(linkedTo: $0, from: $1) }
        )
    }

    /// The leaf hash of one entry; `nil` if the log is shorter.
    func leaf(at position: LogPosition) throws -> SHA256Digest? {
        try page(position, 1).first.map(\.leafDigest)
    }

    /// Reads and decodes the next page, away from the caller's executor.
    @concurrent
    func decodedPage(
        from position: LogPosition,
        limit: Int,
        decoding: PageDecoder
    ) async throws -> EventPage? {
        try decoding.page(of: page(position, limit))
    }
}

extension Entry {
    /// The leaf hash as read models keep it.
    var leafDigest: SHA256Digest { SHA256Digest(bytes: leafHash.bytes) }
}
