// SPDX-License-Identifier: Apache-2.0
public import Events

/// A person's number, read wrongly by an earlier version, is another one.
public struct CorrectNumber: Command {
    public let person: PersonID
    public let phone: PhoneNumber
    public let sameAs: [PersonID]

    /// - Parameters:
    ///   - person: Whose number it is.
    ///   - phone: As it is read now.
    ///   - sameAs: Who of the organisation has that number already.
    public init(of person: PersonID, to phone: PhoneNumber, sameAs: [PersonID]) {
        self.person = person
        self.phone = phone
        self.sameAs = sameAs
    }

    /// Why it was not corrected.
    public enum Refusal: CommandRefusal {
        /// Of who was erased nothing more is written.
        case personErased(PersonID)

        public var problem: Problem {
            switch self {
            case .personErased(let person):
                Problem(
                    .gone,
                    "person-erased",
                    "correcting the number of person \(person) refused: the person was erased; leave it",
                    facts: ["person": "\(person)"]
                )
            }
        }
    }

    public var subject: Subject { .person(person) }

    public func read(_ ledger: inout LedgerView) throws -> [Person] {
        try ([person] + sameAs).map { try ledger.read(Person.self, $0) }
    }

    public func decide(
        _ state: [Person],
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let own = state.first, !own.isErased else { throw .personErased(person) }
        let same = state.dropFirst().filter { !$0.isErased }.map(\.id)
        let corrected = PersonNumberCorrected(
            person: person,
            phone: .open(phone, of: person),
            sameAs: same
        )
        return .record([.person(person, .numberCorrected(corrected))])
    }
}
