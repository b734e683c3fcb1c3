// SPDX-License-Identifier: Apache-2.0

/// Who looked at what, and who was turned away.
public enum AccessEvent: EventFamily {
    case read(AccessRead)
    case refused(AccessRefused)

    public static let kinds: [any EventPayload.Type] = [
        AccessRead.self, AccessRefused.self, AccessRefusedFirst.self,
    ]

    public var fact: Fact { .access(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .read(let payload): payload
        case .refused(let payload): payload
        }
    }
}

/// Somebody read personal data; once per reader, resource, purpose and minute.
public struct AccessRead: EventPayload {
    public static let row = EventKind(
        "access.read/1",
        AccessEvent.read,
        audience: .supervision,
        linksDigest: 0xA338_45C4
    )

    public let reader: Actor
    public let resource: Subject
    public let purpose: String
    public let fields: [String]

    public init(reader: Actor, resource: Subject, purpose: String, fields: [String]) {
        self.reader = reader
        self.resource = resource
        self.purpose = purpose
        self.fields = fields
    }

    public var links: [SubjectLink] {
        [.about(resource)]
    }
}

/// Somebody was turned away.
///
/// Who is not signed in writes no history of their own: one event a reason and minute counts them all.
public struct AccessRefused: EventPayload {
    public static let row = EventKind(
        "access.refused/2",
        AccessEvent.refused,
        audience: .supervision
    )

    /// From what; only a thing that exists.
    public let resource: Subject?
    /// What was tried, such as a route; of several the last one.
    public let attempt: String
    public let reason: Reason
    /// How many were turned away so; 1 for somebody who is known.
    public let count: Int
    /// The network of strangers, cut short so that it names nobody: where most of them came from.
    public let network: String?
    public let address: Sealed<String>?

    public init(
        resource: Subject? = nil,
        attempt: String,
        reason: Reason,
        count: Int = 1,
        network: String? = nil,
        address: Sealed<String>? = nil
    ) {
        self.resource = resource
        self.attempt = attempt
        self.reason = reason
        self.count = count
        self.network = network
        self.address = address
    }

    public var links: [SubjectLink] {
        resource.map { [.about($0)] } ?? []
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

/// A refusal as it was written when each had an event of its own.
struct AccessRefusedFirst: RetiredPayload {
    static let row = EventKind<AccessRefusedFirst>(
        lifting: "access.refused/1",
        linksDigest: 0x56CE_22F0
    )

    let resource: Subject?
    let attempt: String
    let reason: AccessRefused.Reason
    let address: Sealed<String>?

    var lifted: AccessRefused {
        AccessRefused(resource: resource, attempt: attempt, reason: reason, address: address)
    }
}
