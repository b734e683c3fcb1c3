// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise10)) struct `Access` {
    @Test func `is one command for the same words in the same minute`() {
        let ledger = MemoryLedger()
        let (first, second): (SessionID, SessionID) = (ledger.id(), ledger.id())
        let access = { (session: SessionID, purpose: String) in
            RecordAccess(
                by: .user(.sam, as: .operator),
                of: .session(session),
                purpose: purpose,
                fields: ["text"]
            )
        }
        let minute = Timestamp(microseconds: 28_333_333 * 60_000_000)
        let same = access(first, "transcript").commandID(at: minute)
        #expect(
            access(first, "transcript").commandID(at: minute + .microseconds(59_999_999)) == same
        )
        #expect(access(first, "transcript").commandID(at: minute + .seconds(60)) != same)
        #expect(access(second, "transcript").commandID(at: minute) != same)
        #expect(access(first, "live video").commandID(at: minute) != same)
        for id in [same, access(first, String(repeating: "é ", count: 50)).commandID(at: minute)] {
            #expect(CommandID(id.text) == id)
        }
    }

    @Test func `refused is recorded with its reason`() throws {
        let ledger = MemoryLedger()
        let actor = Actor.user(.john, as: .operator)
        let refusal = RecordAccess(
            refusedTo: actor,
            resource: .session(ledger.id()),
            attempt: "GET /v1/sessions/{id}/messages",
            reason: .ownership
        )
        try ledger.run(refusal)
        #expect(ledger.events.last?.envelope.subject == .access(actor))
        #expect(CommandID(refusal.commandID(at: ledger.now).text) != nil)
        #expect(throws: RecordAccess.Refusal.self) {
            try ledger.run(RecordAccess(refusedTo: actor, attempt: "", reason: .role))
        }
    }

    @Test func `policies are enabled once with the same numbers`() throws {
        let ledger = MemoryLedger()
        let policy = EnablePolicy("stream-silence", settings: ["silenceSeconds": 5])
        #expect(try ledger.count(policy) == 1)
        try ledger.run(policy)
        #expect(try ledger.count(policy) == 0)
        #expect(try ledger.count(EnablePolicy("stream-silence")) == 1)
    }
}
