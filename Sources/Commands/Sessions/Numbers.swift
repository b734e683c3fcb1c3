// SPDX-License-Identifier: Apache-2.0
public import Events

/// The telephone numbers by which a person was ever known, as the person's own sessions and devices say.
public struct Numbers: Fold {
    public let id: PersonID
    /// The numbers, in the order of the log.
    public private(set) var told: [Told] = []

    /// A number, and what gave it to the person.
    public struct Told: Hashable, Sendable {
        /// Sealed for the person.
        public let number: Sealed<PhoneNumber>
        public let cause: Cause
    }

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .owner(.person(id))) }

    /// Takes in an event that links to the person as owner; of interest are sessions, devices and corrections.
    public mutating func apply(_ event: RecordedEvent) {
        guard let number = number(in: event.fact) else { return }
        told.append(Told(number: number, cause: Cause(event.envelope)))
    }

    private func number(in fact: Fact) -> Sealed<PhoneNumber>? {
        switch fact {
        case .session(.created(let created)) where created.caller == id: created.phone
        case .device(.registered(let registered)) where registered.person == id: registered.phone
        case .person(.numberCorrected(let corrected)) where corrected.person == id: corrected.phone
        default: nil
        }
    }
}
