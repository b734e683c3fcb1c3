// SPDX-License-Identifier: Apache-2.0
/// A scan was not accepted; it is recorded all the same (ruling 26).
public struct PatrolCheckInRefused: EventPayload {
    public static let kind: Kind = "patrol.check_in_refused/1"

    public let guardID: UserID
    public let reason: Reason
    public let distanceMetres: Sealed<Double>?

    public init(guardID: UserID, reason: Reason, distanceMetres: Sealed<Double>? = nil) {
        self.guardID = guardID
        self.reason = reason
        self.distanceMetres = distanceMetres
    }

    public var links: [SubjectLink] {
        [.about(.user(guardID))]
    }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case badCode = "bad_code"
        case tooFar = "too_far"
        case duplicate
    }
}
