// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird
import Logging

/// The keys of people, as the gateway holds them: they open nothing by themselves.
///
/// What is sealed is opened with ``ReadingKeys``, and those are had by recording that somebody reads, or by saying why nobody is told.
struct PeoplesKeys: Sendable {
    private let store: KeyStore

    init(_ store: KeyStore) {
        self.store = store
    }

    /// How many people have one.
    var count: Int { store.count }

    /// Makes the key of somebody who has none yet.
    func create(_ person: PersonID) throws { try store.create(person) }

    /// Whether somebody's key is there.
    func hold(_ person: PersonID) -> Bool { store.key(of: person) != nil }

    /// Whether somebody's key was destroyed.
    func isDestroyed(_ person: PersonID) -> Bool { store.isDestroyed(person) }

    /// Destroys a key: what it sealed cannot be read any more.
    func destroy(_ person: PersonID) throws { try store.destroy(person) }

    /// The keys, to open what no reading is recorded of.
    func unrecorded(_ reason: UnrecordedReading) -> ReadingKeys { ReadingKeys(store: store) }

    fileprivate var recorded: ReadingKeys { ReadingKeys(store: store) }
}

/// Keys by which what is sealed is opened.
struct ReadingKeys: PersonKeys {
    fileprivate let store: KeyStore

    func key(of person: PersonID) -> PersonKey? { store.key(of: person) }
}

/// Why something is opened without a record that somebody reads it.
enum UnrecordedReading: Sendable {
    /// What somebody gave is held against what is known, and nobody is told what that is: a number, a code, words that came again.
    case compared
    /// It goes into tables whose rows are read on record.
    case projected
    /// It is told over a connection of which the opening was recorded.
    case followed
    /// It is the reader's own.
    case own
    /// Who sits at the machine asks; that is recorded nowhere: they have the files.
    case console
    /// A colleague's name (decision 0076).
    case colleague
    /// Whom a link is for is noted with it, and told to nobody.
    case link
    /// It goes to whom it is for.
    case delivered
}

/// What is read, recorded once per reader, thing, purpose and minute.
extension Ledger {
    /// Records that whoever asks is about to read personal data, for what their route says, and hands out the keys.
    ///
    /// - Parameters:
    ///   - resource: What is read.
    ///   - context: Who reads, by which route.
    ///   - fields: Which personal fields are shown.
    /// - Returns: What opens them.
    /// - Throws: 401 for nobody; what ``recordReading(of:by:for:fields:)`` throws.
    func keys(
        toRead resource: Subject,
        _ context: GatewayContext,
        fields: [String]
    ) async throws -> ReadingKeys {
        guard let purpose = context.reads else {
            throw UndeclaredReading(route: context.endpointPath)
        }
        return try await recordReading(
            of: resource,
            by: context.signedIn(),
            for: purpose,
            fields: fields
        )
    }

    /// Records that somebody is about to read personal data; call it before the bytes leave.
    ///
    /// It stands in the history of the organisation whose data it is: that one is to know, and the reader's own has no
    /// business with the names of others' things.
    ///
    /// - Parameters:
    ///   - resource: What is read.
    ///   - reader: Who reads.
    ///   - purpose: What for, in a word: `transcript`, `timeline`.
    ///   - fields: Which personal fields are shown.
    /// - Returns: What opens them.
    /// - Throws: When the record cannot be written: then nothing may be shown. Where there is only no room for it, whoever owns a
    ///   session reads it all the same.
    @discardableResult
    func recordReading(
        of resource: Subject,
        by reader: Principal,
        for purpose: String,
        fields: [String] = []
    ) async throws -> ReadingKeys {
        let command = RecordAccess(
            by: reader.ledgerActor,
            of: resource,
            purpose: purpose,
            fields: fields
        )
        let context = context(
            actor: reader.ledgerActor,
            organisation: try rights.owner(of: resource) ?? reader.organisation,
            command: command.commandID(at: now)
        )
        do {
            _ = try await handler.handle(command, context)
        } catch let error as EventLogError where error.isForWantOfRoom {
            guard try isOwner(reader, of: resource) else { throw error }
            // Whoever answers goes on; that the session is theirs, its claim says.
            logger.notice("a reading was not recorded", metadata: ["error": "\(error)"])
        }
        return keys.recorded
    }

    private func isOwner(_ reader: Principal, of resource: Subject) throws -> Bool {
        guard resource.category == "session", let session = SessionID(String(resource.name)),
            let user = reader.user
        else { return false }
        return try handler.current(Session.self, session).owner == user
    }
}

/// A fault of the program: a handler reads what its route does not say.
struct UndeclaredReading: Error, CustomStringConvertible {
    let route: String?

    var description: String {
        "\(route ?? "a route") opens what is sealed, and its declaration does not say what for"
    }
}
