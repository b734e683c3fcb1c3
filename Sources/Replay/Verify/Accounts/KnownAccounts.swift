// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// What the log says of accounts, phones and tokens that were issued.
struct KnownAccounts: Sendable {
    struct User: Sendable {
        let made: UInt64
        let madeAt: Timestamp
        /// Where its role was said last.
        var position: UInt64
        let organisation: String
        var role: Role
        var isDisabled = false
        /// Where its password was changed last; 0 for the one that it was made with.
        var passwordAt: UInt64 = 0
    }

    struct Device: Sendable {
        let position: UInt64
        let organisation: String
        let person: PersonID
        let phone: Sealed<PhoneNumber>
        /// Where it was revoked.
        var revoked: UInt64?
    }

    struct Token: Sendable {
        let position: UInt64
        let user: String
        let expires: Timestamp
        /// Where it ended: it was revoked, or its user got another role or password, or may not sign in any more.
        var ended: UInt64?
    }

    private(set) var users: [String: User] = [:]
    private(set) var devices: [String: Device] = [:]
    private(set) var tokens: [String: Token] = [:]
    /// Those of each user that nothing has ended together.
    private var issuedTo: [String: [String]] = [:]
    private(set) var erased: [PersonID: UInt64] = [:]
    /// Accounts that no event made, and that have ended by one: the log is of an earlier day than they were.
    private var ended: [String: UInt64] = [:]
    /// Where it says that rows carry codes.
    private(set) var sealed: UInt64?
    /// What the ledger itself told of accounts that it found changed: nobody asked for it.
    private(set) var untold: [(position: UInt64, user: String, what: String)] = []

    /// Whether an event says anything of them.
    static func concerns(_ fact: Fact) -> Bool {
        switch fact {
        case .user(.loggedIn), .user(.loggedOut): false
        case .user, .device(.registered), .device(.revoked), .person: true
        case .policy(.enabled(let fact)): fact.policy == SealedRows.policy
        default: false
        }
    }

    mutating func apply(_ event: RecordedEvent) {
        let position = event.envelope.position.rawValue
        let name = String(event.envelope.subject.name)
        switch event.fact {
        case .user(let fact): apply(fact, to: name, event.envelope)
        case .device(.registered(let fact)):
            devices[name] = Device(
                position: position,
                organisation: event.envelope.organisation.text,
                person: fact.person,
                phone: fact.phone
            )
        case .device(.revoked): devices[name]?.revoked = position
        case .person(.erased(let fact)): erased[fact.person] = position
        case .policy(.enabled(let fact)) where fact.policy == SealedRows.policy:
            sealed = sealed ?? position
        default: break
        }
    }

    private mutating func apply(_ fact: UserEvent, to name: String, _ envelope: Envelope) {
        let position = envelope.position.rawValue
        switch fact {
        case .created(let created):
            note(
                "was made by a start, which found no admin who could sign in, or, with an earlier program, an account that no event had made",
                name,
                envelope,
                unless: users.isEmpty
            )
            users[name] = User(
                made: position,
                madeAt: envelope.time,
                position: position,
                organisation: created.organisation.text,
                role: created.role
            )
        case .roleChanged(let changed):
            note("became \(changed.to.rawValue) by nobody: a start found it so", name, envelope)
            users[name]?.role = changed.to
            users[name]?.position = position
            endTokens(of: name, at: position)
        case .disabled:
            if users[name] == nil, envelope.actor == .ledger {
                ended[name] = ended[name] ?? position
                note("was found by a start, no event made it, and it has ended", name, envelope)
            }
            users[name]?.isDisabled = true
            endTokens(of: name, at: position)
        case .passwordChanged:
            users[name]?.passwordAt = position
            endTokens(of: name, at: position)
        case .enabled:
            note("was enabled by nobody: a start found it so", name, envelope)
            users[name]?.isDisabled = false
        case .tokenIssued(let issued):
            tokens[issued.token] = Token(position: position, user: name, expires: issued.expires)
            issuedTo[name, default: []].append(issued.token)
        case .tokenRevoked(let revoked): end(revoked.token, at: position)
        case .loggedIn, .loggedOut: break
        }
    }

    private mutating func endTokens(of user: String, at position: UInt64) {
        for token in issuedTo.removeValue(forKey: user) ?? [] { end(token, at: position) }
    }

    private mutating func end(_ token: String, at position: UInt64) {
        if tokens[token]?.ended == nil { tokens[token]?.ended = position }
    }

    /// The first account of a ledger is made by the ledger.
    private mutating func note(
        _ what: String,
        _ user: String,
        _ envelope: Envelope,
        unless isFirst: Bool = false
    ) {
        guard envelope.actor == .ledger, !isFirst else { return }
        untold.append((envelope.position.rawValue, user, what))
    }
}

extension KnownAccounts {
    /// Holds the file against the events.
    ///
    /// - Parameters:
    ///   - file: What the file says.
    ///   - keys: Open the numbers of phones.
    ///   - begun: Where the ledger's key began: accounts of before may be those of the ledger that was imported here.
    ///   - now: When it is looked at.
    /// - Returns: What is in the file otherwise than the events say.
    func compare(
        _ file: AccountsFile,
        keys: (any PersonKeys)?,
        begun: UInt64,
        now: Timestamp
    ) -> FindingList {
        var list = FindingList()
        for row in file.users { list.add(faults(of: row).map { damage("account \(row.id)", $0) }) }
        let here = Set(file.users.map(\.id))
        for (id, user) in users.sorted(by: { $0.key < $1.key })
        where !here.contains(id) && user.made >= begun {
            list.add(
                damage(
                    "account \(id)",
                    (
                        user.position,
                        "it is gone, and accounts never go: a start makes it anew, without a password"
                    )
                )
            )
        }
        list.add(lostPhones(file, begun: begun, now: now))
        for row in file.devices {
            list.add(faults(of: row, keys).map { damage("phone \(row.id)", $0) })
        }
        for row in file.tokens {
            list.add(faults(of: row).map { damage("token \(row.id)", $0) })
        }
        return list
    }

    /// Phones that the file does not have, and that nobody ended: while accounts that were lost may turn up, a note.
    private func lostPhones(_ file: AccountsFile, begun: UInt64, now: Timestamp) -> FindingList {
        var list = FindingList()
        let here = Set(file.devices.map(\.id))
        let lost = devices.filter { id, device in
            !here.contains(id) && device.revoked == nil && device.position >= begun
                && erased[device.person] == nil
        }
        if !lost.isEmpty, let end = mayTurnUp(file, begun: begun), now < end {
            list.add(
                Finding(
                    .note,
                    place: "accounts.db",
                    position: lost.values.map(\.position).min(),
                    "\(lost.count) phones are gone with accounts that were lost: it was made anew",
                    advice:
                        "restore the accounts that were lost until \(end), if they turn up; behind that the log is told that these phones ended"
                )
            )
            return list
        }
        for (id, device) in lost.sorted(by: { $0.key < $1.key }) {
            let words = "it is gone, and nobody ended it: a start tells the log that it ended"
            list.add(damage("phone \(id)", (device.position, words)))
        }
        return list
    }

    /// Until when accounts may turn up that were lost; `nil` where those of the file are as old as the ledger.
    private func mayTurnUp(_ file: AccountsFile, begun: UInt64) -> Timestamp? {
        let first = users.values.filter { $0.made >= begun }.min { $0.made < $1.made }
        guard let told = first?.madeAt, let oldest = file.users.map(\.created).min() else {
            return nil
        }
        return LostAccounts.findableUntil(oldest: oldest, told: told)
    }

    private typealias Fault = (position: UInt64?, fact: String)

    private func faults(of row: AccountsFile.User) -> [Fault] {
        guard let known = users[row.id] else {
            guard !row.isDisabled || ended[row.id] == nil else { return [] }
            let may =
                row.isDisabled
                ? "it is there, disabled," : "it may sign in as \(row.role) of \(row.organisation),"
            return [(nil, "\(may) and no event made it")]
        }
        let place = known.position
        var faults: [Fault] = []
        if row.role != known.role.rawValue {
            faults.append(
                (place, "its role is \(row.role), and its events say \(known.role.rawValue)")
            )
        }
        if row.organisation != known.organisation {
            faults.append(
                (place, "it is of \(row.organisation), and its events say \(known.organisation)")
            )
        }
        if row.isDisabled != known.isDisabled {
            let words =
                known.isDisabled
                ? "it may sign in, and its events say that it is disabled"
                : "it is disabled, and its events say that it may sign in"
            faults.append((place, words))
        }
        if row.hasPassword, row.passwordAt != known.passwordAt {
            faults.append(
                (
                    max(known.made, known.passwordAt),
                    "its password is not the last one that its events tell of"
                )
            )
        }
        return faults
    }

    private func faults(of row: AccountsFile.Device, _ keys: (any PersonKeys)?) -> [Fault] {
        guard let known = devices[row.id] else {
            // A registration that the ledger did not take leaves one that is revoked.
            guard !row.isRevoked else { return [] }
            return [(nil, "it may act for person \(row.person), and no event registered it")]
        }
        let place = known.position
        if let erased = erased[known.person] {
            return [(erased, "it is still there, and person \(known.person) was erased")]
        }
        var faults: [Fault] = []
        if row.person != "\(known.person)" {
            faults.append(
                (place, "it acts for person \(row.person); it was registered for \(known.person)")
            )
        }
        if row.organisation != known.organisation {
            faults.append(
                (place, "it is of \(row.organisation); it was registered in \(known.organisation)")
            )
        }
        if ![Role.caller, .reporter].map(\.rawValue).contains(row.role) {
            faults.append((place, "its role is \(row.role), which no phone is given"))
        }
        if let revoked = known.revoked, !row.isRevoked {
            faults.append((revoked, "it may act, and its events say that it was revoked"))
        }
        if known.revoked == nil, row.isRevoked {
            faults.append((place, "it is revoked, and no event says so"))
        }
        // A number that does not open is found where sealed fields are.
        if let keys, let number = try? known.phone.opened(with: keys).value,
            number.text != row.phone
        {
            faults.append((place, "its number is not the one that it was registered for"))
        }
        return faults
    }

    private func faults(of row: AccountsFile.Token) -> [Fault] {
        guard let known = tokens[row.id] else { return [] }
        var faults: [Fault] = []
        if row.user != known.user {
            faults.append((known.position, "it is of another account than \(known.user)"))
        }
        if row.expires > known.expires.microseconds / 1_000 + 1 {
            faults.append((known.position, "it is good for longer than its event says"))
        }
        if let ended = known.ended, !row.isRevoked {
            faults.append((ended, "it is good, and its events say that it has ended"))
        }
        return faults
    }

    private func damage(_ name: String, _ fault: Fault) -> Finding {
        Finding(
            .damage,
            place: "accounts.db",
            position: fault.position,
            "\(name): \(fault.fact)",
            advice:
                "find out who changed it, and disable it; a crash between both files, or a log of an earlier day than accounts.db, leaves this, too, until the gateway starts next: by the log it ends then, and the log is told"
        )
    }
}
