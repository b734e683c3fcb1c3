// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Synchronization

/// A folder of files that may lie on a disk of its own, known as this ledger's by a mark in it: a copy of `daybook.json`.
///
/// Where that disk is not mounted, the empty folder of its mount point stands in its place. Then nothing is written there,
/// nothing counts as lost or as deleted, and everything goes on by itself once the disk is back.
///
/// The first start that finds no mark gives one to a folder that has what the log names, or of which the log names
/// nothing; that it did is kept in the ledger's folder, so that it is done once.
final class MarkedFolder: Sendable {
    /// How long a look counts.
    static let lookInterval = Duration.seconds(1)

    let path: URL
    private let ledger: LedgerFolder
    private let identity: LedgerIdentity
    private let held: HeldFolder?
    private let mayWrite: @Sendable () -> Bool
    private let hasWhatIsNamed: @Sendable (URL) throws -> Bool
    private let last = Mutex<Look?>(nil)

    private struct Look {
        let fault: Fault?
        let at: ContinuousClock.Instant
        /// Whether the folder was the ledger's at any look of this process.
        let wasOurs: Bool
    }

    /// - Parameters:
    ///   - path: The folder.
    ///   - ledger: The ledger's own folder.
    ///   - identity: Whose it must be.
    ///   - held: The ledger's folder as it was opened.
    ///   - mayWrite: Whether a mark may be given.
    ///   - hasWhatIsNamed: Whether a folder has anything of what the log names, or the log names nothing.
    init(
        _ path: URL,
        of ledger: LedgerFolder,
        _ identity: LedgerIdentity,
        held: HeldFolder? = nil,
        mayWrite: @escaping @Sendable () -> Bool,
        hasWhatIsNamed: @escaping @Sendable (URL) throws -> Bool
    ) {
        self.path = path
        self.ledger = ledger
        self.identity = identity
        self.held = held
        self.mayWrite = mayWrite
        self.hasWhatIsNamed = hasWhatIsNamed
    }

    /// Why the folder is not the ledger's just now; at most a second old, but for that the ledger's own is another.
    ///
    /// Blocks.
    var fault: Fault? {
        if let held, !held.isInPlace { return elsewhere }
        return last.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last.at < Self.lookInterval { return last.fault }
            let wasOurs = last?.wasOurs ?? false
            let fault = look(wasOurs: wasOurs)
            last = Look(fault: fault, at: now, wasOurs: wasOurs || fault == nil)
            return fault
        }
    }

    /// Refuses to go on where the folder is not the ledger's.
    func check() throws(FolderAway) {
        if let fault { throw FolderAway(fault: fault) }
    }

    private func look(wasOurs: Bool) -> Fault? {
        switch FolderMark(in: path, of: ledger, identity) {
        case .ours: nil
        case .of(let origin):
            Fault(
                code: "folder of \(origin)",
                words:
                    "\(path.path) is of the ledger \(origin): mount the disk of \(identity.origin)"
            )
        case .unreadable(let reason):
            Fault(code: "folder mark", words: "\(path.path) cannot be looked into: \(reason)")
        case .missing(let wasGiven): wasGiven || wasOurs ? unmarked : claimed
        }
    }

    private var elsewhere: Fault {
        Fault(
            code: "folder elsewhere",
            words:
                "\(path.path) lies in another folder than the ledger's now: mount the ledger's again, all goes on by itself"
        )
    }

    private var unmarked: Fault {
        Fault(
            code: "folder unmarked",
            words:
                "\(path.path) has no mark of this ledger, its disk may not be mounted: mount it, all goes on by itself; is this the right folder, copy \(ledger.identity.path) into it"
        )
    }

    /// Gives a mark where none was given before.
    private var claimed: Fault? {
        do {
            guard try hasWhatIsNamed(path) else { return unmarked }
            if mayWrite() { try FolderMark.give(to: path, of: ledger, identity) }
            return nil
        } catch {
            return Fault(
                code: "folder marking",
                words: "\(path.path) could not be marked as this ledger's: \(error)"
            )
        }
    }
}

/// What tells whose a folder beside the log is.
enum FolderMark {
    case ours
    case of(origin: String)
    /// `wasGiven` tells whether it had one before.
    case missing(wasGiven: Bool)
    case unreadable(String)

    /// Reads the mark of a folder.
    init(in path: URL, of ledger: LedgerFolder, _ identity: LedgerIdentity) {
        do {
            if let found = try LedgerIdentity.read(from: Self.file(in: path)) {
                // A new origin keeps the name and has another key.
                self = found.origin == identity.origin ? .ours : .of(origin: found.origin)
            } else {
                let given = try Self.given(in: ledger)
                self = .missing(wasGiven: given.contains(path.lastPathComponent))
            }
        } catch {
            self = .unreadable("\(error)")
        }
    }

    /// Marks a folder, and makes it where it is missing; returns once that is on disk.
    static func give(
        to path: URL,
        of ledger: LedgerFolder,
        _ identity: LedgerIdentity
    ) throws {
        try FileManager.default.createDirectory(
            at: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try identity.write(to: file(in: path))
        try DurableFile.syncFolder(ledger.root)
        let given = try given(in: ledger).union([path.lastPathComponent])
        let lines = given.sorted().map { $0 + "\n" }.joined()
        try DurableFile.write(Data(lines.utf8), to: ledger.marked, permissions: 0o600)
    }

    private static func file(in path: URL) -> URL {
        path.appending(path: LedgerFolder.identityName)
    }

    /// The names of the folders that were marked.
    private static func given(in ledger: LedgerFolder) throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: ledger.marked.path) else { return [] }
        let text = String(decoding: try Data(contentsOf: ledger.marked), as: UTF8.self)
        return Set(text.split(separator: "\n").map(String.init))
    }
}

/// A folder in whose place another one stands.
struct FolderAway: FaultCoded, CustomStringConvertible, ProblemRepresentable {
    let fault: Fault

    var description: String { fault.words }
    var faultCode: String { fault.code }

    /// Where this machine keeps its files is not for everybody.
    var problem: Problem {
        .tryLater(
            .unavailable,
            "the disk of recordings and pictures is not there just now; keep what was to be sent and send it again, all goes on by itself once the disk is back"
        )
    }
}
