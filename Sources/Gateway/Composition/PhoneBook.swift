// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import Synchronization

/// Who stands behind a telephone number: one person for each number and organisation (ruling 39), for as long as that
/// one is not erased.
///
/// The operator desk says whom to look at, and the person's own events whether the number is theirs: whoever can write a
/// read model gives no number to anybody. A number that was given out a moment ago, and stands nowhere yet, is remembered
/// here. A new person gets a key with the first event that names them.
struct PhoneBook: Sendable {
    private let log: EventLog
    private let handler: CommandHandler
    private let readModels: ReadModels
    private let keys: PeoplesKeys
    private let fresh = FreshNumbers()

    init(log: EventLog, handler: CommandHandler, readModels: ReadModels, keys: PeoplesKeys) {
        self.log = log
        self.handler = handler
        self.readModels = readModels
        self.keys = keys
    }

    /// Whose a number is.
    struct Owner: Sendable, Hashable {
        let person: PersonID
        /// The person, where the log knows nobody with the number: what comes with the command that tells of them.
        let newcomers: [PersonID]
    }

    /// The person with a number; a new one if nobody has it.
    ///
    /// - Parameters:
    ///   - phone: The number.
    ///   - organisation: Who asks; the same number is another person elsewhere.
    ///   - now: When a new person is first heard of.
    /// - Returns: Whose the number is from now on; nothing is stored.
    /// - Throws: When the read model cannot be asked.
    func owner(
        with phone: PhoneNumber,
        in organisation: OrganisationID,
        at now: Timestamp
    ) async throws -> Owner {
        if let known = try await known(phone, in: organisation) {
            return Owner(person: known, newcomers: [])
        }
        let person = fresh.person(with: phone, in: organisation, at: now) { keys.isDestroyed($0) }
        return Owner(person: person, newcomers: [person])
    }

    /// The person with a number, if the organisation has one.
    func known(_ phone: PhoneNumber, in organisation: OrganisationID) async throws -> PersonID? {
        if let last = log.size.checkedPrevious {
            try await readModels.runner.wait(for: last, on: "operator-desk")
        }
        let devices = try await readModels.desk.devices(phone: phone).map(\.person)
        let callers = try await readModels.desk.persons(phone: phone)
        for person in devices + callers {
            if try await has(person, phone, in: organisation) { return person }
        }
        return nil
    }

    /// Whether the log says that a number is a person's, and the person an organisation's.
    func has(
        _ person: PersonID,
        _ phone: PhoneNumber,
        in organisation: OrganisationID
    ) async throws -> Bool {
        try await cause(giving: phone, to: person, in: organisation) != nil
    }

    /// The newest event that gave a number to a person of an organisation; `nil` where the log has none.
    func cause(
        giving phone: PhoneNumber,
        to person: PersonID,
        in organisation: OrganisationID
    ) async throws -> Cause? {
        guard try self.organisation(of: person) == organisation else { return nil }
        let numbers = try await handler.settled(Numbers.self, person)
        // The newest is most often the one.
        return numbers.told.last { number($0.number) == phone }?.cause
    }

    private func number(_ sealed: Sealed<PhoneNumber>) -> PhoneNumber? {
        do {
            return try sealed.opened(with: keys.unrecorded(.compared)).value
        } catch {
            // What another key sealed, or somebody damaged, is nobody's number.
            return nil
        }
    }

    /// Where a person was first heard of; nobody moves from one organisation to another.
    private func organisation(of person: PersonID) throws -> OrganisationID? {
        try log.entries(linkedTo: .person(person), from: LogPosition(0), limit: 1)
            .first?.envelope.organisation
    }
}

/// Numbers that were given a person since the start of the process.
private final class FreshNumbers: Sendable {
    private struct Name: Hashable {
        let phone: PhoneNumber
        let organisation: OrganisationID
    }

    private let persons = Mutex<[Name: PersonID]>([:])

    func person(
        with phone: PhoneNumber,
        in organisation: OrganisationID,
        at now: Timestamp,
        unless isErased: (PersonID) -> Bool
    ) -> PersonID {
        persons.withLock { persons in
            let name = Name(phone: phone, organisation: organisation)
            if let known = persons[name], !isErased(known) { return known }
            // Those that came to the log since are found there; a full table simply forgets them.
            if persons.count >= 10_000 { persons.removeAll() }
            var chance = SystemRandomNumberGenerator()
            let person = PersonID(at: now, using: &chance)
            persons[name] = person
            return person
        }
    }
}

extension UInt64 {
    /// The position of the last event of a log of this size; `nil` for an empty one.
    var checkedPrevious: LogPosition? { self == 0 ? nil : LogPosition(self - 1) }
}
