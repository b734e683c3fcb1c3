// SPDX-License-Identifier: Apache-2.0
/// Somebody was turned away.
public struct AccessRefused: EventPayload {
    public static let kind: Kind = "access.refused/1"

    public let resource: Subject?
    /// What was tried, such as a route.
    public let attempt: String
    public let reason: Reason
    public let address: Sealed<String>?

    public init(
        resource: Subject? = nil,
        attempt: String,
        reason: Reason,
        address: Sealed<String>? = nil
    ) {
        self.resource = resource
        self.attempt = attempt
        self.reason = reason
        self.address = address
    }

    public var links: [Subject] {
        resource.map { [$0] } ?? []
    }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case token
        case otherNumber = "other_number"
        case expired
        case role
        case ownership
        case rate
        /// What was sent is no video that is taken, or other bytes than those at the same place.
        case media
    }
}
