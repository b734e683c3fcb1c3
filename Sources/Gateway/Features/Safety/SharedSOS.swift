// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// What the link of a contact shows of a call for help: nothing but that it is over once it is.
struct SharedSOS: Encodable {
    let isOver: Bool
    /// `expired` where nobody ended it; absent while it goes on, and so is nothing of the rest.
    let endReason: String?
    var name: String?
    var isDrill: Bool?
    var raisedAt: Timestamp?
    /// When the phone says that it was raised.
    var occurredAt: Timestamp?
    var place: Place?
    /// When the place came.
    var placeAt: Timestamp?
    /// How many contacts know of it.
    var answered: Int?

    struct Place: Encodable {
        let latitude: Double
        let longitude: Double
        let accuracyMetres: Double?
        let measuredAt: Timestamp?
        let plusCode: String
    }

    /// - Returns: `nil` for an alert about something else.
    init?(_ alert: Alert, _ ledger: Ledger) throws {
        guard let id = alert.sos else { return nil }
        let sos = try ledger.handler.current(SOS.self, id)
        isOver = sos.isOver(at: ledger.now)
        endReason = sos.ended?.rawValue ?? (isOver ? "expired" : nil)
        guard !isOver, let raised = sos.raised else { return }
        let keys = ledger.keys.unrecorded(.delivered)
        let citizen = try ledger.handler.current(Citizen.self, raised.person)
        // Whom the citizen removed since sees no more.
        guard citizen.contacts.contains(where: { $0.facts.person == alert.content?.contact }) else {
            return
        }
        name = try citizen.profile?.name.opened(with: keys).value
        isDrill = raised.isDrill
        (raisedAt, occurredAt) = (sos.cause?.time, sos.occurredAt)
        if let fix = try sos.fix?.opened(with: keys).value {
            place = Place(
                latitude: fix.latitude,
                longitude: fix.longitude,
                accuracyMetres: fix.accuracyMetres,
                measuredAt: fix.measuredAt,
                plusCode: fix.plusCode
            )
            placeAt = sos.fixAt
        }
        answered = try ledger.handler.current(ContactAlerts.self, .sos(id)).alerts.count {
            try ledger.handler.current(Alert.self, $0.alert).isAcknowledged
        }
    }
}

extension SOSID {
    /// The call of a subject; `nil` where that is something else.
    init?(of subject: Subject) {
        guard subject.category == "sos" else { return nil }
        self.init(String(subject.name))
    }
}

extension Alert {
    /// The call for help of which it tells, if it does.
    var sos: SOSID? { cause.flatMap { SOSID(of: $0) } }
}
