// SPDX-License-Identifier: Apache-2.0
/// The person's key was destroyed: what it sealed cannot be read any more.
public struct PersonErased: EventPayload {
    public static let kind: Kind = "person.erased/1"

    public let person: PersonID
    public let by: UserID?
    public let reason: String

    public init(person: PersonID, by: UserID? = nil, reason: String) {
        self.person = person
        self.by = by
        self.reason = reason
    }
}
