// SPDX-License-Identifier: Apache-2.0
import Events

/// What somebody may read live for as long as two things are so: the token is good, and what is read is theirs to read.
///
/// A claim ends the right to a session while the token goes on. Whoever sends holds this and no ``LiveReader``, so that
/// nobody can ask half of it; ``check()`` comes before each thing that goes out.
struct LiveRight: Sendable {
    private let live: LiveReader
    private let right: @Sendable (Principal) async throws -> Void

    /// - Parameters:
    ///   - live: Whose token it is.
    ///   - right: Throws once what is read is no longer theirs, by what is so now.
    init(_ live: LiveReader, _ right: @escaping @Sendable (Principal) async throws -> Void) {
        self.live = live
        self.right = right
    }

    /// Who reads.
    var principal: Principal { live.principal }

    /// Returns while the reader may have more.
    ///
    /// - Throws: Why no longer: `AccountError` once the token ended, ``ReadingRights/Refusal`` once the right did.
    func check() async throws {
        try await live.check()
        try await right(live.principal)
    }

    /// Watches until the token has ended, and throws why; returns when cancelled.
    func untilSignedOut() async throws {
        try await live.untilEnd()
    }
}

extension Ledger {
    /// Somebody who reads live, for as long as the token is good.
    func liveReader(_ principal: Principal) -> LiveReader {
        let ledger = self
        return LiveReader(principal, in: accounts) { try ledger.checkGuest($0) }
    }

    /// The right of somebody who reads live to a session.
    func right(of live: LiveReader, toRead session: SessionID) -> LiveRight {
        let rights = rights
        return LiveRight(live) { try rights.check(session, for: $0) }
    }

    /// What ends an answer that takes its time: the reader's token, or the right to the session.
    func stillMay(
        read session: SessionID,
        _ reader: Principal
    ) -> @Sendable () async throws -> Void {
        right(of: liveReader(reader), toRead: session).check
    }
}
