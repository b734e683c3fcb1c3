// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// A session in which nothing started within its limit expires (ruling 35): 120 s unless set
/// otherwise.
///
/// The decision takes the limit from the session; this only sees that it is recorded.
struct StartLimitPolicy: TimedPolicy {
    let ledger: Ledger

    var name: String { Policy.startLimit }
    var settings: [String: Int] {
        ["limitSeconds": Int(ledger.configuration.policies.startLimit / .seconds(1))]
    }

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        for due in try await ledger.readModels.deadlines.expiredStarts(at: now) {
            try await ledger.unlessDamaged {
                let session = try await ledger.handler.settled(Session.self, due.session)
                guard let cause = session.contact?.cause, cause.position > start else { return }
                try await ledger.handle(
                    ExpireSession(due.session),
                    of: name,
                    because: cause,
                    step: "expire"
                )
            }
        }
    }
}
