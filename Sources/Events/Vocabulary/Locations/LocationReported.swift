// SPDX-License-Identifier: Apache-2.0
/// The caller's device told a place.
public struct LocationReported: EventPayload {
    public static let kind: Kind = "location.reported/1"

    public let person: PersonID
    public let fix: Sealed<Fix>
    /// How the device found it: `gps`, `network`, `manual` and the like.
    public let method: String
    /// The request it answers.
    public let request: RequestID?

    public init(person: PersonID, fix: Sealed<Fix>, method: String, request: RequestID? = nil) {
        self.person = person
        self.fix = fix
        self.method = method
        self.request = request
    }
}
