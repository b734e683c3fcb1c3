// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// The route by which an admin says that a wall clock is right that the ledger does not follow.
struct ClockRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/clock/confirm", for: [.admin], confirm)
        ]
    }

    private func confirm(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let confirmation = ledger.clockConfirmation
        return try await ledger.withSignInsPostponed(for: confirmation) {
            try await ledger.answer(confirmation, request)
        }
    }
}

/// How the wall clock stands, for `readyz`.
struct ClockBody: Encodable {
    let isFollowed: Bool
    /// Since when not, in the ledger's time.
    let heldSince: Timestamp?
    /// How far the wall clock is ahead of the ledger's time; below zero it is behind.
    let leadSeconds: Int64
    /// The fact in words, and the way out.
    let detail: String
    let fault: String?

    init(_ standing: ClockStanding) {
        isFollowed = standing.heldSince == nil
        heldSince = standing.heldSince
        leadSeconds = standing.lead.components.seconds
        detail = "\(standing)"
        fault = standing.markFault
    }
}
