// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// What was asked of a caller, and not answered in its time or before the session ended, becomes
/// stale.
struct RequestExpiryPolicy: TimedPolicy {
    let ledger: Ledger

    var name: String { "request-expiry" }
    var settings: [String: Int] { [:] }

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        for due in try await ledger.readModels.deadlines.expiredRequests(at: now) {
            try await ledger.unlessDamaged {
                let session = try await ledger.handler.settled(Session.self, due.session)
                guard let cause = session.requests[due.request]?.cause, cause.position > start
                else { return }
                try await ledger.handle(
                    AnswerRequest(due.request, in: due.session, by: .system, answer: .stale),
                    of: name,
                    because: cause,
                    step: "stale"
                )
            }
        }
    }
}
