// SPDX-License-Identifier: Apache-2.0
/// A session was opened, by an operator for a phone number or by a caller.
public struct SessionCreated: EventPayload {
    public static let kind: Kind = "session.created/1"

    /// The incident opened together with it (ruling 17).
    public let incident: IncidentID
    /// Whose contact it is.
    public let caller: PersonID
    /// The caller's number; none for a caller known by device only.
    public let phone: Sealed<PhoneNumber>?
    /// The registered device with that number, if there is one.
    public let device: DeviceID?
    public let channel: Channel
    public let openedBy: Party
    /// The operator, when an operator opened it.
    public let openedByUser: UserID?
    /// How long the caller has to start; none when the caller opened it.
    public let startLimitSeconds: Int?
    /// When the start limit runs out.
    public let expiresAt: Timestamp?

    public init(
        incident: IncidentID,
        caller: PersonID,
        phone: Sealed<PhoneNumber>? = nil,
        device: DeviceID? = nil,
        channel: Channel,
        openedBy: Party,
        openedByUser: UserID? = nil,
        startLimitSeconds: Int? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.incident = incident
        self.caller = caller
        self.phone = phone
        self.device = device
        self.channel = channel
        self.openedBy = openedBy
        self.openedByUser = openedByUser
        self.startLimitSeconds = startLimitSeconds
        self.expiresAt = expiresAt
    }

    public var links: [SubjectLink] {
        [.about(.incident(incident)), .caller(.person(caller)), .owner(.person(caller))]
            + (device.map { [.about(.device($0))] } ?? [])
    }

    /// What the session was opened for.
    public enum Channel: String, Codable, Hashable, Sendable, CaseIterable {
        case video
        case chat
    }
}
