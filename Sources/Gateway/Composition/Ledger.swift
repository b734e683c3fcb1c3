// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Threads

/// What routes, sockets and policies share: the log, the way of commands into it, and what is read.
///
/// Made once by ``open(_:logger:)``; every part of the gateway takes it as a value.
struct Ledger: Sendable {
    let folder: LedgerFolder
    let identity: LedgerIdentity
    /// Whether it was made as a demo: whoever reaches the gateway signs in as anybody.
    let isDemo: Bool
    let log: EventLog
    /// The way of every command into the log.
    let handler: CommandHandler
    /// The keys of people; a person's key is created before anything is sealed for that person.
    let keys: PeoplesKeys
    /// What the archive seals with what it writes.
    let recordingKeys: RecordingKeys
    /// How many entries were there when its key began, and nobody vouches for.
    let begun: UInt64
    /// What stood in the log when its key began, and was not carried out: nobody vouches for it.
    let unvouchedErasures: [FoundErasure]
    let accounts: AccountStore
    /// Pictures and stills, sealed for their owners.
    let blobs: BlobFolder
    /// The folders of recordings and pictures, which may lie on disks of their own.
    let folders: MarkedFolders
    let readModels: ReadModels
    /// Strangers who were turned away, until the ledger is told of them.
    let strangers: StrangerRefusals
    /// Wakes whoever follows one subject.
    let bells: SubjectBells
    /// Who we are to push services.
    let pushIdentity: PushIdentity
    /// The senders' passwords, and the codes of what the outside reports.
    let deliverySecrets: DeliverySecrets
    /// Who stands behind a telephone number.
    let phoneBook: PhoneBook
    let configuration: GatewayConfiguration
    let logger: Logger
    /// How the parts of the gateway stand.
    let standings = ServiceStandings()
    /// Where those who read much of the log walk it: a page a turn, for a page asks the rights of each of its entries, which takes
    /// long and suspends nowhere.
    let walks = ThreadPool(
        name: "log-walk",
        FairQueue.Limits(places: GatewayLimits.logWalksAtOnce, placesOfHolder: 1)
    )
    /// Phones that the accounts have and the ledger is about to be told of.
    let registrations = RegistrationsUnderWay()
    /// Phones that went with accounts which were lost.
    let phonesOwed = PhonesOwed()
    /// Who closed a page of the console.
    let departures = DeskDepartures()
    /// Whose turn it is to be given a text.
    let assignmentTurns = AssignmentTurns()
    /// Whose erasure is not carried out in full yet.
    let erasureDebt = ErasureDebt()
    /// Whether a start owes words to the log.
    let wordsOwed = WordsOwed()

    /// The ledger's time, which events are recorded with: the wall clock as far as it can be believed.
    var now: Timestamp { log.clock.now }

    /// What comes with a command: who asks, when, and chance.
    ///
    /// - Parameters:
    ///   - actor: Who asks.
    ///   - organisation: Who will own the events.
    ///   - command: What makes a repetition the same command; `nil` for a fresh id.
    ///   - correlation: The request that it belongs to.
    ///   - occurredAt: When the device claims that it happened.
    ///   - causation: The event that caused it, when a policy asks.
    ///   - seen: What the caller had seen when it asked.
    ///   - asked: What the caller asked, hashed; for our own commands the id says it.
    /// - Returns: Its time is now, its chance fresh.
    func context(
        actor: Actor,
        organisation: OrganisationID,
        command: CommandID? = nil,
        correlation: String? = nil,
        occurredAt: Timestamp? = nil,
        causation: EventID? = nil,
        seen: SeenRevision? = nil,
        asked: SHA256Digest = .saidByID
    ) -> CommandContext {
        var chance = SystemRandomNumberGenerator()
        let now = now
        let stamp = CommandStamp(
            actor: actor,
            command: command
                ?? CommandID(unchecked: UUIDv7(at: now, using: &chance).description),
            organisation: organisation,
            correlation: correlation.map { "request/\($0)" },
            asked: asked
        )
        return CommandContext(
            stamp,
            now: now,
            occurredAt: occurredAt,
            causation: causation,
            seen: seen,
            using: &chance
        )
    }

    /// What comes with a command of somebody who is signed in.
    func context(
        of principal: Principal,
        command: CommandID? = nil,
        correlation: String? = nil,
        occurredAt: Timestamp? = nil,
        seen: SeenRevision? = nil,
        asked: SHA256Digest = .saidByID
    ) -> CommandContext {
        context(
            actor: principal.ledgerActor,
            organisation: principal.organisation,
            command: command,
            correlation: correlation,
            occurredAt: occurredAt,
            seen: seen,
            asked: asked
        )
    }

    /// A fresh name for a new thing.
    func newID<Named>() -> Identifier<Named> {
        var chance = SystemRandomNumberGenerator()
        return Identifier(at: now, using: &chance)
    }
}

extension SHA256Digest {
    /// What is asked by a command whose id names it: (policy, causing event, step), or a fresh one.
    static let saidByID = SHA256Digest(of: [UInt8]())
}

extension Ledger: CustomStringConvertible {
    /// Only the name: services are logged with all that they hold.
    var description: String { "ledger \(identity.origin)" }
}

extension Principal {
    /// The actor of events.
    var ledgerActor: Actor { Actor(unchecked: actor) }
    /// The owner of events.
    var organisation: OrganisationID { OrganisationID(unchecked: org) }
    /// The user, as the ledger names one.
    var user: UserID? { userID.map(UserID.init(unchecked:)) }
    /// The owner of the device, as the ledger names one.
    var person: PersonID? { personID.flatMap { PersonID($0) } }
    /// A member of the centre, as commands take one.
    var staff: Staff? { user.map { Staff($0, as: role) } }
    /// Which side of a session speaks.
    var sender: Sender? {
        if let person { return .caller(person) }
        return user.map { .operator($0) }
    }
}
