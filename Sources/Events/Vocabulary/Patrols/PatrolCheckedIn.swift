// SPDX-License-Identifier: Apache-2.0
/// A guard scanned the point's code.
public struct PatrolCheckedIn: EventPayload {
    public static let kind: Kind = "patrol.checked_in/1"

    public let guardID: UserID
    public let guardPerson: PersonID
    public let fix: Sealed<Fix>?
    public let distanceMetres: Sealed<Double>?
    /// Whether the scan was kept on the device and sent later.
    public let offline: Bool
    public let note: Sealed<String>?

    public init(
        guardID: UserID,
        guardPerson: PersonID,
        fix: Sealed<Fix>? = nil,
        distanceMetres: Sealed<Double>? = nil,
        offline: Bool,
        note: Sealed<String>? = nil
    ) {
        self.guardID = guardID
        self.guardPerson = guardPerson
        self.fix = fix
        self.distanceMetres = distanceMetres
        self.offline = offline
        self.note = note
    }

    public var links: [SubjectLink] {
        [.about(.user(guardID))]
    }
}
