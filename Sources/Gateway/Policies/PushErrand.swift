// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// A push to one device, as the log has it: what is sent and what is recorded follows from this, not from a row.
struct PushErrand: Sendable {
    let alert: AlertID
    let device: DeviceID
    let session: SessionID
    let sessionCreatedAt: Timestamp
    let organisation: OrganisationID
    let cause: QueuePush.Cause
    /// Whether an attempt began whose end is not recorded.
    let isUnderWay: Bool
    /// Attempts with an end.
    let attempts: Int
    /// The event that queued it.
    let event: EventID
}

extension Ledger {
    /// What a row of the pushes names, if the log has it so and it is due.
    func errand(_ row: PushDelivery) async throws -> PushErrand? {
        let alert = try await handler.settled(Alert.self, row.alert)
        let session = try await handler.settled(Session.self, row.session)
        let cause = QueuePush.Cause(row.cause)
        guard let contact = session.contact, let queued = alert.queued,
            let part = alert.parts[.push],
            !part.isSent, !part.isGivenUp,
            part.retryAt.map({ $0 <= now || part.isUnderWay }) ?? true,
            alert.device == row.device, alert.cause == .session(row.session),
            let event = session.event(behind: cause)?.event, event == alert.queuedFor
        else { return nil }
        return PushErrand(
            alert: row.alert,
            device: row.device,
            session: row.session,
            sessionCreatedAt: contact.cause.time,
            organisation: queued.organisation,
            cause: cause,
            isUnderWay: part.isUnderWay,
            attempts: part.attempts,
            event: queued.event
        )
    }
}
