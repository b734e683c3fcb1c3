// SPDX-License-Identifier: Apache-2.0

/// What can happen to a rescue agency.
public enum AgencyEvent: EventFamily {
    case defined(AgencyDefined)
    case membersSet(AgencyMembersSet)
    case placeShared(AgencyPlaceShared)

    public static let kinds: [any EventPayload.Type] = [
        AgencyDefined.self, AgencyMembersSet.self, AgencyPlaceShared.self,
    ]

    public var fact: Fact { .agency(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .defined(let payload): payload
        case .membersSet(let payload): payload
        case .placeShared(let payload): payload
        }
    }
}

/// A rescue agency was set up or changed.
///
/// Name, telephone and the rest are the agency's public data.
public struct AgencyDefined: EventPayload {
    public static let row = EventKind(
        "agency.defined/1",
        AgencyEvent.defined,
        audience: .desk,
        desk: true
    )

    public let name: String
    public let phone: String?
    public let email: String?
    public let address: String?
    public let website: String?
    public let donationLink: String?
    /// Which animals it takes; empty for all.
    public let types: [String]
    /// Where it is the one to go; `nil` where it only helps out.
    public let area: Area?
    /// Where its people start from.
    public let base: Base?
    /// Whether new reports are given to it: its duty.
    public let takesReports: Bool
    /// Whether it is used no more.
    public let isRetired: Bool

    public init(
        name: String,
        phone: String? = nil,
        email: String? = nil,
        address: String? = nil,
        website: String? = nil,
        donationLink: String? = nil,
        types: [String] = [],
        area: Area? = nil,
        base: Base? = nil,
        takesReports: Bool = true,
        isRetired: Bool = false
    ) {
        self.name = name
        self.phone = phone
        self.email = email
        self.address = address
        self.website = website
        self.donationLink = donationLink
        self.types = types
        self.area = area
        self.base = base
        self.takesReports = takesReports
        self.isRetired = isRetired
    }

    public var links: [SubjectLink] { [] }

    /// A fixed place, in degrees (WGS 84).
    public struct Base: Codable, Hashable, Sendable {
        public let latitude: Double
        public let longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        public var fix: Fix { Fix(latitude: latitude, longitude: longitude) }
    }
}

/// Who works for an agency, all of them.
public struct AgencyMembersSet: EventPayload {
    public static let row = EventKind(
        "agency.members_set/1",
        AgencyEvent.membersSet,
        audience: .desk,
        desk: true
    )

    public let members: [UserID]

    public init(_ members: [UserID]) {
        self.members = members
    }

    public var links: [SubjectLink] { [] }
}

/// Where a member on duty said that the agency's team is now; it stands on a subject of its own, for it changes every minute.
public struct AgencyPlaceShared: EventPayload {
    public static let row = EventKind(
        "agency.place_shared/1",
        AgencyEvent.placeShared,
        audience: .desk
    )

    public let by: UserID
    /// Whose key encrypts the place: the member.
    public let person: PersonID
    /// `nil` once the member shares it no more.
    public let fix: Sealed<Fix>?

    public init(by: UserID, person: PersonID, fix: Sealed<Fix>?) {
        (self.by, self.person, self.fix) = (by, person, fix)
    }

    public var links: [SubjectLink] { [] }
}
