// SPDX-License-Identifier: Apache-2.0
public import Events
import Foundation

/// Who is on duty when, one after the other, as it was set up last.
public struct Rota: Fold {
    /// An organisation's name for it.
    public struct Key: Hashable, Sendable {
        public let name: String
        public let organisation: OrganisationID

        public init(_ name: String, of organisation: OrganisationID) {
            (self.name, self.organisation) = (name, organisation)
        }
    }

    public let id: Key
    /// `nil` before it was set up, and when it is used no more.
    public private(set) var definition: RotaDefined?

    public init(_ id: Key) {
        self.id = id
    }

    public static func source(of id: Key) -> FoldSource {
        .subject(.rota(id.name, of: id.organisation))
    }

    /// Takes in an event of the rota's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .callOut(.rotaDefined(let defined)) = event.fact else { return }
        definition = defined.isRetired ? nil : defined
    }
}

extension RotaDefined {
    /// One member's time on duty.
    public struct Shift: Hashable, Sendable {
        /// Counted from the first shift, which is 0.
        public let number: Int
        public let user: UserID
        public let from: Timestamp
        /// The first moment of the next one.
        public let until: Timestamp
    }

    /// Whose shift it is at a moment; `nil` before the first shift, and where the definition is none.
    ///
    /// A handover is at the first moment of its day at which clocks show its time or more: where they go back over it there is
    /// still one, and where they leap over it it is at the leap.
    public func shift(at now: Timestamp) -> Shift? {
        guard let zone = TimeZone(identifier: timeZone), let start = Self.midnight(of: startsOn),
            !members.isEmpty, !handovers.isEmpty, everyDays > 0
        else { return nil }
        let local = now + .seconds(zone.secondsFromGMT(for: now.date))
        let round = Int((local - start) / .seconds(86_400 * everyDays)) * handovers.count
        // A round and a day either way cover every offset of a zone.
        let near = (round - 2 * handovers.count)...(round + 3 * handovers.count)
        let numbers = near.filter { $0 >= 0 }
        guard
            let number = numbers.last(where: { handover($0, from: start, in: zone) <= now })
        else { return nil }
        return Shift(
            number: number,
            user: members[number % members.count],
            from: handover(number, from: start, in: zone),
            until: handover(number + 1, from: start, in: zone)
        )
    }

    /// Who is on duty at a moment: whose shift it is, or the next member who is not off duty.
    public func onDuty(at now: Timestamp, passingOver isOff: (UserID) throws -> Bool) rethrows
        -> UserID?
    {
        guard let shift = shift(at: now) else { return nil }
        for step in 0..<members.count {
            let member = members[(shift.number + step) % members.count]
            if try !isOff(member) { return member }
        }
        return nil
    }

    private func handover(_ number: Int, from start: Timestamp, in zone: TimeZone) -> Timestamp {
        let day = number / handovers.count * everyDays
        let minute = handovers[number % handovers.count]
        return Self.moment(at: start + .seconds(day * 86_400 + minute * 60), in: zone)
    }

    /// The first moment of a day at which clocks show a time or more; the time as if the clocks were at UTC.
    private static func moment(at local: Timestamp, in zone: TimeZone) -> Timestamp {
        func offset(_ moment: Timestamp) -> Int { zone.secondsFromGMT(for: moment.date) }
        for aside in [-86_400, 86_400] {
            let offsetThen = offset(local + .seconds(aside))
            let moment = local + .seconds(-offsetThen)
            if offset(moment) == offsetThen { return moment }
        }
        let dayBefore = local + .seconds(-86_400)
        let leap = zone.nextDaylightSavingTimeTransition(after: dayBefore.date)
        return leap.map { Timestamp(microseconds: Int64($0.timeIntervalSince1970) * 1_000_000) }
            ?? local + .seconds(-offset(local))
    }

    /// The first moment of a day such as `2026-03-23`, as if clocks were at UTC; `nil` where there is no such day.
    static func midnight(of day: String) -> Timestamp? {
        day.utf8.count == 10 ? Timestamp("\(day)T00:00:00Z") : nil
    }
}

extension Timestamp {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}

/// Sets up who is on duty when, changes it, or gives it up.
public struct DefineRota: Command {
    public let organisation: OrganisationID
    public let definition: RotaDefined

    public init(_ definition: RotaDefined, of organisation: OrganisationID) {
        (self.definition, self.organisation) = (definition, organisation)
    }

    /// Why it was not set up.
    public enum Refusal: CommandRefusal {
        case notOfStaff(UserID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .notOfStaff(let user): .notOfStaff(user, attempt: "setting up the rota")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .rota(definition.name, of: organisation) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (rota: Rota, members: [UserID: User]) {
        var members: [UserID: User] = [:]
        for user in definition.members.prefix(CommandLimits.membersPerRotaMax) {
            members[user] = try ledger.glance(User.self, user)
        }
        return (try ledger.read(Rota.self, .init(definition.name, of: organisation)), members)
    }

    public func decide(
        _ state: (rota: Rota, members: [UserID: User]),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try check("name", definition.name, definition.name.isPlainName, .plainName)
        if !definition.isRetired {
            try checkShifts()
            for member in definition.members
            where !(state.members[member]?.mayGo(in: organisation) ?? false) {
                throw .notOfStaff(member)
            }
        }
        let isSame =
            definition.isRetired
            ? state.rota.definition == nil : state.rota.definition == definition
        guard !isSame else { return .already(()) }
        return .record([Write(subject, .callOut(.rotaDefined(definition)))])
    }

    private func checkShifts() throws(Refusal) {
        let most = CommandLimits.membersPerRotaMax
        let (members, handovers) = (definition.members.count, definition.handovers)
        try check("members", members, (1...most).contains(members), "1 to \(most) people")
        try check(
            "timeZone",
            definition.timeZone,
            TimeZone(identifier: definition.timeZone) != nil,
            "a zone of the tz database, such as Europe/Berlin"
        )
        try check(
            "startsOn",
            definition.startsOn,
            RotaDefined.midnight(of: definition.startsOn) != nil,
            "a day such as 2026-03-23"
        )
        try check(
            "handovers",
            handovers,
            (1...24).contains(handovers.count) && handovers.allSatisfy { (0..<1_440).contains($0) }
                && zip(handovers, handovers.dropFirst()).allSatisfy { $0 < $1 },
            "1 to 24 times of a day, each later than the one before"
        )
        try check(
            "everyDays",
            definition.everyDays,
            (1...CommandLimits.rotaDaysMax).contains(definition.everyDays),
            "1 to \(CommandLimits.rotaDaysMax)"
        )
    }

    private func check(
        _ field: String,
        _ value: some Sendable,
        _ isFine: Bool,
        _ allowed: String
    ) throws(Refusal) {
        guard isFine else {
            throw .unacceptable(.outOfRange(field: field, value: "\(value)", allowed: allowed))
        }
    }
}

extension String {
    /// Whether it can name a template, a chain or a rota.
    var isPlainName: Bool {
        (1...CommandLimits.templateNameBytesMax).contains(utf8.count)
            && utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    static let plainName = "1 to \(CommandLimits.templateNameBytesMax) small letters, digits and -"
}

extension Problem {
    static func notOfStaff(_ user: UserID, attempt: String) -> Problem {
        Problem(
            .unprocessable,
            "user-not-of-staff",
            "\(attempt) refused: \(user) is no account of this organisation that can sign in; "
                + "name another one",
            facts: ["user": "\(user)"]
        )
    }
}
