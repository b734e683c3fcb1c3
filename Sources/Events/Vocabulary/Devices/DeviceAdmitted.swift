// SPDX-License-Identifier: Apache-2.0
/// A phone may see what its number's owner did before it was registered (ruling 39).
///
/// The actor is who agreed: an older phone of the same person, or the owner of the session.
public struct DeviceAdmitted: EventPayload {
    public static let kind: Kind = "device.admitted/1"

    public let person: PersonID
    /// To which session; `nil` for all of the person's.
    public let session: SessionID?

    public init(person: PersonID, session: SessionID? = nil) {
        self.person = person
        self.session = session
    }

    public var links: [Subject] {
        [.person(person)]
    }
}
