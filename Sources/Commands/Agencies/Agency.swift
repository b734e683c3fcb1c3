// SPDX-License-Identifier: Apache-2.0
public import Events

/// A rescue agency, as it was set up last, and who works for it.
public struct Agency: Fold {
    public let id: AgencyID
    /// `nil` before it was set up.
    public private(set) var definition: AgencyDefined?
    public private(set) var organisation: OrganisationID?
    /// Who works for it; nobody for one that was given up.
    public var members: [UserID] { isActive ? everMembers : [] }
    private var everMembers: [UserID] = []

    public init(_ id: AgencyID) {
        self.id = id
    }

    /// An agency that was set up so, with nobody working for it.
    public init(_ id: AgencyID, as definition: AgencyDefined) {
        (self.id, self.definition) = (id, definition)
    }

    public static func source(of id: AgencyID) -> FoldSource { .subject(.agency(id)) }

    /// Takes in an event of the agency's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .agency(let fact) = event.fact else { return }
        switch fact {
        case .defined(let defined): (definition, organisation) = (defined, event.organisation)
        case .membersSet(let set): everMembers = set.members
        case .placeShared: break
        }
    }

    /// Whether reports may be given to it.
    public var isActive: Bool { definition.map { !$0.isRetired } ?? false }
}

extension RecordedEvent {
    fileprivate var organisation: OrganisationID { envelope.organisation }
}

/// Why an agency was not changed.
public enum AgencyRefusal: CommandRefusal {
    case unknown(AgencyID)
    case notOfStaff(UserID)
    case notAMember(UserID)
    case offDuty(UserID)
    case areaUnacceptable(Area.Fault)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "agency-unknown",
                "changing the agency refused: there is no agency \(id); look at the list",
                facts: ["agency": "\(id)"]
            )
        case .notOfStaff(let user): .notOfStaff(user, attempt: "setting the agency's members")
        case .notAMember(let user):
            Problem(
                .forbidden,
                "agency-of-others",
                "sharing the team's place refused: you do not work for this agency; ask an administrator to add you",
                facts: ["user": "\(user)"]
            )
        case .offDuty(let user):
            Problem(
                .conflict,
                "agency-off-duty",
                "sharing the team's place refused: you are off duty; go on duty first",
                facts: ["user": "\(user)"]
            )
        case .areaUnacceptable(let fault):
            Problem(
                .unprocessable,
                "agency-area-unacceptable",
                "setting up the agency refused: \(fault); correct the area",
                facts: ["field": "area"]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}

/// Sets up a rescue agency, changes it, or gives it up.
public struct DefineAgency: Command {
    public let agency: AgencyID
    public let definition: AgencyDefined

    public init(_ agency: AgencyID, as definition: AgencyDefined) {
        (self.agency, self.definition) = (agency, definition)
    }

    public typealias Refusal = AgencyRefusal

    public var subject: Subject { .agency(agency) }

    public func read(_ ledger: inout LedgerView) throws -> Agency {
        try ledger.read(Agency.self, agency)
    }

    public func decide(
        _ state: Agency,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try check(definition)
        guard state.definition != definition else { return .already(()) }
        return .record([.agency(agency, .defined(definition))])
    }

    private func check(_ definition: AgencyDefined) throws(Refusal) {
        try InputFault.check(
            name: definition.name,
            "name",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        let texts = [
            ("phone", definition.phone), ("email", definition.email),
            ("address", definition.address),
        ]
        for (field, text) in texts {
            try InputFault.check(
                optional: text,
                field,
                bytesMax: CommandLimits.agencyTextBytesMax,
                else: Refusal.unacceptable
            )
        }
        for (field, link) in [
            ("website", definition.website), ("donationLink", definition.donationLink),
        ] {
            guard let link else { continue }
            try InputFault.check(
                link.hasPrefix("https://") && link.utf8.count <= CommandLimits.agencyTextBytesMax
                    && !link.unicodeScalars.contains { $0.properties.isWhitespace || $0 == "\"" },
                field,
                link,
                allowed: "an address that begins with https://",
                else: Refusal.unacceptable
            )
        }
        try InputFault.check(
            definition.types.count <= CommandLimits.agencyTypesMax,
            "types",
            "\(definition.types.count) types",
            allowed: "at most \(CommandLimits.agencyTypesMax)",
            else: Refusal.unacceptable
        )
        for type in definition.types {
            try InputFault.check(
                name: type,
                "types",
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        if let base = definition.base { try InputFault.check(base.fix, else: Refusal.unacceptable) }
        do throws(Area.Fault) {
            try definition.area?.check()
        } catch {
            throw .areaUnacceptable(error)
        }
    }
}

/// Says who works for an agency, all of them.
public struct SetAgencyMembers: Command {
    public let agency: AgencyID
    public let members: [UserID]

    public init(of agency: AgencyID, to members: [UserID]) {
        (self.agency, self.members) = (agency, members)
    }

    public typealias Refusal = AgencyRefusal

    public var subject: Subject { .agency(agency) }

    /// What the decision goes by.
    public struct State {
        let agency: Agency
        let users: [UserID: User]
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        var users: [UserID: User] = [:]
        for user in members.prefix(CommandLimits.agencyMembersMax) {
            users[user] = try ledger.glance(User.self, user)
        }
        return State(agency: try ledger.read(Agency.self, agency), users: users)
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.agency.definition != nil, let organisation = state.agency.organisation else {
            throw .unknown(agency)
        }
        try InputFault.check(
            members.count <= CommandLimits.agencyMembersMax,
            "members",
            "\(members.count) members",
            allowed: "at most \(CommandLimits.agencyMembersMax)",
            else: Refusal.unacceptable
        )
        // Who works there already may have been disabled since: only newcomers are asked about.
        for user in members where !state.agency.members.contains(user) {
            guard state.users[user]?.mayGo(in: organisation) ?? false else {
                throw .notOfStaff(user)
            }
        }
        var seen: Set<UserID> = []
        let once = members.filter { seen.insert($0).inserted }
        guard once != state.agency.members else { return .already(()) }
        return .record([.agency(agency, .membersSet(AgencyMembersSet(once)))])
    }
}
