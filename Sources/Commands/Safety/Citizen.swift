// SPDX-License-Identifier: Apache-2.0
public import Events

/// A citizen with a registered phone: the name that contacts are told, the contacts, and the calls for help.
public struct Citizen: Fold {
    public let person: PersonID
    public private(set) var profile: CitizenSet?
    public private(set) var profileAt: Timestamp?
    /// In the order in which they were added.
    public private(set) var contacts: [Contact] = []
    /// The newest last; at most ``CommandLimits/sosKeptMax``.
    public private(set) var calls: [Call] = []

    /// Somebody whom the citizen's alerts tell.
    public struct Contact: Hashable, Sendable {
        public let id: ContactID
        public internal(set) var facts: ContactSet
        public internal(set) var setAt: Timestamp
    }

    /// One call for help.
    public struct Call: Hashable, Sendable {
        public let id: SOSID
        public let raisedAt: Timestamp
    }

    public init(_ person: PersonID) {
        self.person = person
    }

    public static func source(of person: PersonID) -> FoldSource {
        .links(to: .caller(.person(person)))
    }

    /// Takes in an event that links to the person as the one who calls.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .safety(let fact) = event.fact else { return }
        let (name, time) = (String(event.envelope.subject.name), event.envelope.time)
        switch fact {
        case .citizenSet(let set): (profile, profileAt) = (set, time)
        case .contactSet(let set):
            guard let id = ContactID(name) else { return }
            if let known = contacts.firstIndex(where: { $0.id == id }) {
                (contacts[known].facts, contacts[known].setAt) = (set, time)
            } else {
                contacts.append(Contact(id: id, facts: set, setAt: time))
            }
        case .contactRemoved: contacts.removeAll { "\($0.id)" == name }
        case .raised:
            guard let id = SOSID(name) else { return }
            calls = (calls + [Call(id: id, raisedAt: time)]).suffix(CommandLimits.sosKeptMax)
        case .moved, .ended, .contentSet: break
        }
    }

    /// The contact of an id; `nil` for one that is not there, or was removed.
    public func contact(_ id: ContactID) -> Contact? { contacts.first { $0.id == id } }
}

/// Sets the name by which messages to contacts call a citizen.
public struct SetCitizen: Command {
    public let person: PersonID
    public let name: String
    public let language: String
    /// Opens what is known, so that the same again is no change.
    private let keys: any PersonKeys

    public init(
        _ person: PersonID,
        name: String,
        language: String,
        openedWith keys: any PersonKeys = NoKeys()
    ) {
        (self.person, self.name, self.language, self.keys) = (person, name, language, keys)
    }

    public typealias Refusal = ContactRefusal

    public var subject: Subject { .person(person) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> (person: Person, isSame: Bool) {
        let known = try ledger.read(Citizen.self, person).profile
        let isSame = try known?.language == language && known?.name.opened(with: keys).value == name
        return (try ledger.read(Person.self, person), isSame)
    }

    public func decide(
        _ state: (person: Person, isSame: Bool),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try ContactRefusal.check(name: name, language: language)
        guard !state.person.isErased else { throw .personErased(person) }
        guard !state.isSame else { return .already(()) }
        let set = CitizenSet(person: person, name: .open(name, of: person), language: language)
        return .record([.citizen(person, .citizenSet(set))])
    }
}

/// A citizen adds a contact, or changes one; the contact's key must exist before, or the contact be a newcomer.
public struct SetContact: Command {
    public let contact: ContactID
    public let citizen: PersonID
    /// Whose key seals the contact's facts, where it is a new one.
    public let person: PersonID
    public let name: String
    public let mobile: PhoneNumber?
    public let email: String?
    public let language: String
    /// Opens what is known, so that the same again is no change.
    private let keys: any PersonKeys

    public init(
        _ contact: ContactID,
        of citizen: PersonID,
        person: PersonID,
        name: String,
        mobile: PhoneNumber?,
        email: String?,
        language: String,
        openedWith keys: any PersonKeys = NoKeys()
    ) {
        self.contact = contact
        self.citizen = citizen
        self.person = person
        self.name = name
        self.mobile = mobile
        self.email = email
        self.language = language
        self.keys = keys
    }

    public typealias Refusal = ContactRefusal

    /// What the decision goes by.
    public struct State {
        let citizen: Citizen
        let isErased: Bool
        let isSame: Bool
        /// Whether the id was used: for this citizen's contact that was removed, or for another citizen's.
        let isUsed: Bool
        /// Another contact with the same mobile number, who would get each message twice.
        let twin: ContactID?
    }

    public var subject: Subject { .contact(contact) }
    /// So that no two contacts take the last place.
    public var lane: Subject? { .person(citizen) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let state = try ledger.read(Citizen.self, citizen)
        let known = state.contact(contact)?.facts
        return State(
            citizen: state,
            isErased: try ledger.read(Person.self, known?.person ?? citizen).isErased,
            isSame: try known != nil && known?.language == language
                && known?.name.opened(with: keys).value == name
                && known?.mobile?.opened(with: keys).value == mobile
                && known?.email?.opened(with: keys).value == email,
            isUsed: try ledger.read(ContactLife.self, contact).isUsed,
            twin: try state.contacts.first { other in
                try mobile != nil && other.id != contact
                    && other.facts.mobile?.opened(with: keys).value == mobile
            }?.id
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try ContactRefusal.check(name: name, language: language)
        try InputFault.check(
            optional: email,
            "email",
            bytesMax: CommandLimits.senderTextBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            mobile != nil || email != nil,
            "mobile, email",
            "nothing",
            allowed: "a mobile number, an address of e-mail, or both",
            else: Refusal.unacceptable
        )
        let known = state.citizen.contact(contact)
        guard known != nil || !state.isUsed else { throw .unknown(contact) }
        guard !state.isErased else { throw .personErased(known?.facts.person ?? citizen) }
        guard known != nil || state.citizen.contacts.count < CommandLimits.contactsMax else {
            throw .full(citizen)
        }
        guard !state.isSame else { return .already(()) }
        if let twin = state.twin { throw .sameNumber(twin) }
        let person = known?.facts.person ?? person
        let set = ContactSet(
            citizen: citizen,
            person: person,
            name: .open(name, of: person),
            mobile: mobile.map { .open($0, of: person) },
            email: email.map { .open($0, of: person) },
            language: language
        )
        return .record([.contact(contact, .contactSet(set))])
    }
}

/// A citizen removes a contact; the contact's key is for the gateway to destroy.
public struct RemoveContact: Command {
    public let contact: ContactID
    public let citizen: PersonID

    public init(_ contact: ContactID, of citizen: PersonID) {
        (self.contact, self.citizen) = (contact, citizen)
    }

    public typealias Refusal = ContactRefusal

    public var subject: Subject { .contact(contact) }
    public var lane: Subject? { .person(citizen) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> Citizen {
        try ledger.read(Citizen.self, citizen)
    }

    /// One that is not there is gone already.
    public func decide(
        _ state: Citizen,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.contact(contact) != nil else { return .already(()) }
        return .record([.contact(contact, .contactRemoved(ContactRemoved(citizen: citizen)))])
    }
}

/// Whether an id was ever a contact's.
struct ContactLife: Fold {
    private(set) var isUsed = false

    init(_ id: ContactID) {}

    static func source(of id: ContactID) -> FoldSource { .subject(.contact(id)) }

    /// Takes in an event of the contact's subject.
    mutating func apply(_ event: RecordedEvent) { isUsed = true }
}

/// Why a citizen's name, or a contact, was not taken.
public enum ContactRefusal: CommandRefusal {
    /// It was removed, or is another citizen's.
    case unknown(ContactID)
    case full(PersonID)
    /// Another contact of the citizen has the mobile number.
    case sameNumber(ContactID)
    case personErased(PersonID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let contact):
            Problem(
                .notFound,
                "contact-unknown",
                "saving refused: you have no contact \(contact); add it under a new id",
                facts: ["contact": "\(contact)"]
            )
        case .full(let citizen):
            Problem(
                .conflict,
                "contacts-full",
                "adding a contact refused: you have \(CommandLimits.contactsMax), as many as are "
                    + "kept; remove one first",
                facts: ["person": "\(citizen)", "max": "\(CommandLimits.contactsMax)"]
            )
        case .sameNumber(let contact):
            Problem(
                .conflict,
                "contact-same-number",
                "saving refused: your contact \(contact) has this mobile number; change that one",
                facts: ["contact": "\(contact)"]
            )
        case .personErased(let person): .personErased(person, attempt: "saving")
        case .unacceptable(let fault): fault.problem
        }
    }

    /// Checks what a citizen and a contact have both.
    fileprivate static func check(name: String, language: String) throws(ContactRefusal) {
        try InputFault.check(
            name: name,
            "name",
            bytesMax: CommandLimits.wordBytesMax,
            else: ContactRefusal.unacceptable
        )
        try InputFault.check(language: language, else: ContactRefusal.unacceptable)
    }
}
