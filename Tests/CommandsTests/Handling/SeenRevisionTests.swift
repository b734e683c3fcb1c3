// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise4), .timeLimit(.minutes(10)))
struct `A command that names the revision its caller saw` {
    @Test func `is done once of many at once, also by handlers that know nothing of each other`()
        async throws
    {
        let ledger = try LedgerOnDisk()
        let (incident, seen) = try await Self.incident(ledger)
        let log = ledger.log
        let stale = try await concurrently(32) { number -> Int in
            let address = SetAddress(incident, address: "\(number) High Street", source: .operator)
            do {
                // Handlers of their own take no turns: only the log's writer keeps them apart.
                _ = try await CommandHandler(log: log).handle(address, ledger.context(seen: seen))
                return 0
            } catch CommandFault.stale(seen, let actual) {
                #expect(actual == seen.revision.next)
                return 1
            }
        }
        #expect(stale.reduce(0, +) == 31)
        #expect(try log.entries(of: IncidentAddressSet.kind).count == 1)
        try await ledger.close()
    }

    @Test func `gets its receipt again by the same id, though the subject moved since`()
        async throws
    {
        let ledger = try LedgerOnDisk()
        let (incident, seen) = try await Self.incident(ledger)
        let address = SetAddress(incident, address: "1 High Street", source: .operator)
        let first = try await ledger.run(address, ledger.context(command: "c-1", seen: seen))
        let again = try await ledger.run(address, ledger.context(command: "c-1", seen: seen))
        #expect(again.receipt?.first == first.receipt?.first && again.receipt?.repeated == true)
        try await ledger.close()
    }

    @Test func `is stale when it is so already, but at another revision`() async throws {
        let ledger = try LedgerOnDisk()
        let session = try await ledger.run(StartChat(caller: ledger.person())).outcome.session
        let claim = ClaimSession(session, by: .sam)
        let revision = try #require(try ledger.log.revision(of: .session(session)))
        let seen = SeenRevision(of: .session(session), revision)
        try await ledger.run(claim, ledger.context(seen: seen))
        let fault = CommandFault.stale(seen, actual: revision.next)
        await #expect(throws: fault) { try await ledger.run(claim, ledger.context(seen: seen)) }
        let now = SeenRevision(of: .session(session), revision.next)
        #expect(try await ledger.run(claim, ledger.context(seen: now)).receipt == nil)
        try await ledger.close()
    }

    @Test func `is refused for what would refuse it anyway, and that is recorded`() async throws {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let session = try await ledger.run(StartChat(caller: caller)).outcome.session
        try await ledger.run(ClaimSession(session, by: .sam))
        try await ledger.run(CloseSession(session, by: .staff(.sam), disposition: "handled"))
        let message = SendMessage(
            "late",
            in: session,
            from: .caller(caller),
            temporaryID: "t1",
            clientTimestamp: "",
            channel: .http
        )
        let seen = SeenRevision(of: .session(session), Revision(40))
        await #expect(throws: SendMessage.Refusal.ended(session)) {
            try await ledger.run(message, ledger.context(seen: seen))
        }
        #expect(try ledger.log.entries(of: ChatMessageRejected.kind).count == 1)
        try await ledger.close()
    }

    /// An incident, and its revision.
    private static func incident(
        _ ledger: LedgerOnDisk
    ) async throws -> (IncidentID, SeenRevision) {
        let session = try await ledger.run(StartChat(caller: ledger.person())).outcome.session
        let incident = try #require(try ledger.handler.current(Membership.self, session).incident)
        let revision = try #require(try ledger.log.revision(of: .incident(incident)))
        return (incident, SeenRevision(of: .incident(incident), revision))
    }
}
