// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import SIP
import Synchronization
import Threads

/// Who sends: a registered phone, somebody whom a trunk vouches for, or an address of whom nobody knows more.
extension TelephonyDoor {
    /// Who sent a request, as far as that is known.
    struct Known {
        let person: PersonID
        let actor: Actor
        let organisation: OrganisationID
        var phone: PhoneNumber?
        var device: DeviceID?
        var trunk: String?
        var isVerified: Bool { phone != nil }
        let sender: SIPSender
    }

    func sender(_ context: SIPRequestContext) async throws -> Known {
        switch context.request.uri {
        case .other("urn", let rest) where rest.isService: return try await caller(context)
        case .sip(let uri):
            guard let user = uri.user else { throw Refused(404) }
            if user.isService { return try await caller(context) }
            return try await phone(user, context)
        case .other: throw Refused(416)
        }
    }

    /// A registered phone, by its token.
    private func phone(_ token: String, _ context: SIPRequestContext) async throws -> Known {
        let principal = try await device(token, context)
        guard let person = principal.person, let number = principal.phoneNumber else {
            throw Refused(404)
        }
        let claimed = Self.number(in: context.envelope.from.uri)
        guard claimed == nil || claimed == number else {
            await ledger.recordRefusal(
                of: principal,
                from: nil,
                attempt: "SIP \(context.request.method.name)",
                reason: .otherNumber
            )
            throw Refused(403)
        }
        try pass(principal.holder)
        return Known(
            person: person,
            actor: principal.ledgerActor,
            organisation: principal.organisation,
            phone: number,
            device: principal.deviceID.flatMap { DeviceID($0) },
            sender: try Self.sender(context, number: number.text)
        )
    }

    /// The phone whose token it is; what is unknown, over, malformed or somebody else's is answered alike.
    func device(_ token: String, _ context: SIPRequestContext) async throws -> Principal {
        do {
            let principal = try await ledger.accounts.authenticate(token)
            guard principal.personID != nil, !principal.isGuest else { throw Refused(404) }
            return principal
        } catch is AccountError {
            ledger.countRefusal(
                of: context.peer.host,
                attempt: "SIP \(context.request.method.name)",
                reason: .token
            )
            throw Refused(404)
        }
    }

    /// Anybody, at the service address.
    private func caller(_ context: SIPRequestContext) async throws -> Known {
        let organisation = ledger.configuration.organisation
        let trunk = trunks.trunk(at: context.peer.host)
        let asserted = trunk.flatMap { _ in Self.assertedNumber(in: context.request) }
        let number = asserted ?? Self.number(in: context.envelope.from.uri)
        let sender = try Self.sender(context, number: number?.text)
        if let asserted {
            try pass(asserted.text)
            let owner = try await ledger.phoneBook.owner(
                with: asserted,
                in: organisation,
                at: ledger.now
            )
            return Known(
                person: owner.person,
                actor: .telephone(owner.person),
                organisation: organisation,
                phone: asserted,
                trunk: trunk,
                sender: sender
            )
        }
        try pass(
            trunk.map { "\($0) \(sender.uri)" } ?? NetworkAddress.holder(of: context.peer.host)
        )
        // Anybody can write another's address into From: who sends it from elsewhere is somebody else.
        let origin = trunk ?? context.peer.host
        let known = try await callers.person(of: "\(origin) \(sender.uri)", ledger) {
            try await ledger.readModels.telephony.person(
                from: sender.uri,
                at: origin,
                in: organisation
            )
        }
        return Known(
            person: known,
            actor: .telephone(known),
            organisation: organisation,
            trunk: trunk,
            sender: sender
        )
    }

    private func pass(_ sender: String) throws(Refused) {
        if let wait = rates.admit(sender) { throw Self.busy(for: wait) }
    }

    private static func busy(for wait: Duration) -> Refused {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        return Refused(503, fields: [HeaderField("Retry-After", "\(seconds)")])
    }

    /// A new session of somebody whose number nobody asserts needs room, at the sender's address and in all.
    func makeRoom(for known: Known, _ context: SIPRequestContext) async throws {
        guard !known.isVerified else { return }
        let open = try await ledger.handler.settled(Caller.self, known.person).openSession
        if let open, try await ledger.handler.settled(Session.self, open).isOpen(at: ledger.now) {
            return
        }
        if known.trunk == nil,
            let wait = strangers.admit(NetworkAddress.holder(of: context.peer.host))
        {
            throw Self.busy(for: wait)
        }
        let waiting = try await ledger.readModels.telephony.waitingStrangers()
        guard waiting < TelephonyLimits.waitingStrangersMax else { throw Refused(486) }
    }

    private static func sender(
        _ context: SIPRequestContext,
        number: String?
    ) throws(Refused) -> SIPSender {
        let from = context.envelope.from
        guard let uri = SenderText.address(from.uri, number: number) else {
            throw Refused(400, reason: "From is longer than \(SenderText.addressBytesMax) bytes")
        }
        var contact: String?
        if let text = context.request.fields.values("Contact").first {
            do {
                let address = try NameAddress.parse(text, of: "Contact").uri
                contact = SenderText.address(address, number: number)
            } catch {
                // Answers go to the sender's address then.
            }
        }
        return SIPSender(
            uri: uri,
            number: number,
            name: from.name.flatMap(SenderText.name),
            host: context.peer.host,
            port: context.peer.port,
            answersTo: contact ?? uri
        )
    }

    private static func number(in uri: URI) -> PhoneNumber? {
        switch uri {
        case .sip(let uri): uri.user.flatMap { PhoneNumber($0) }
        case .other("tel", let rest): PhoneNumber(String(rest.prefix { $0 != ";" }))
        case .other: nil
        }
    }

    /// What a trunk says of the caller (RFC 3325 §9.1).
    private static func assertedNumber(in request: SIPRequest) -> PhoneNumber? {
        for value in request.fields.values("P-Asserted-Identity") {
            do {
                if let number = number(in: try NameAddress.parse(value, of: "PAI").uri) {
                    return number
                }
            } catch {
                // What cannot be read asserts nothing.
                continue
            }
        }
        return nil
    }
}

extension String {
    /// Whether it is the emergency service's address: `sos`, `sos.fire`, or `service:sos` in a URN (RFC 5031).
    fileprivate var isService: Bool {
        let name = lowercased()
        let rest = name.hasPrefix("service:") ? name.dropFirst(8) : name[...]
        return rest == "sos" || rest.hasPrefix("sos.")
            || (rest.hasPrefix("urn:service:sos") && rest.dropFirst(15).allSatisfy { $0 != ":" })
    }
}

/// The persons of senders who texted since the start, so that the read model is asked once of each.
final class RememberedCallers: Sendable {
    private let persons = Mutex<[String: PersonID]>([:])
    /// One newcomer at a time, so that two messages of one make no two persons.
    private let lock = AsyncLock()

    func person(
        of address: String,
        _ ledger: Ledger,
        otherwise find: @Sendable () async throws -> PersonID?
    ) async throws -> PersonID {
        if let known = remembered(address, ledger) { return known }
        return try await lock.withLock {
            if let known = remembered(address, ledger) { return known }
            if let last = ledger.log.size.checkedPrevious {
                try await ledger.readModels.runner.wait(for: last, on: "telephony")
            }
            let person: PersonID = try await find() ?? ledger.newID()
            persons.withLock { persons in
                if persons.count >= TelephonyLimits.sendersRemembered { persons.removeAll() }
                persons[address] = person
            }
            return person
        }
    }

    private func remembered(_ address: String, _ ledger: Ledger) -> PersonID? {
        persons.withLock { $0[address] }.flatMap { ledger.keys.isDestroyed($0) ? nil : $0 }
    }
}
