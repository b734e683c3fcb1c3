// SPDX-License-Identifier: Apache-2.0
/// The address of the incident became known, or better known.
public struct IncidentAddressSet: EventPayload {
    public static let kind: Kind = "incident.address_set/1"

    public let address: Sealed<String>
    /// The Open Location Code of the place.
    public let plusCode: Sealed<String>?
    public let source: Source

    public init(address: Sealed<String>, plusCode: Sealed<String>? = nil, source: Source) {
        self.address = address
        self.plusCode = plusCode
        self.source = source
    }

    /// Where the address came from.
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case caller
        case `operator`
        case resolver
    }
}
