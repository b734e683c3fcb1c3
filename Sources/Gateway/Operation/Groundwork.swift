// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Logging

/// Looks at what the gateway stands on and does not run itself, and shows in `/readyz` where it gives way: the disks, the
/// folders of recordings and pictures, the program that decodes, the files of people's keys and of accounts.
///
/// Where it grows narrow and nobody could take over, the gateway stays ready and says so: whoever sent people elsewhere would
/// keep them from what still goes, closing, reading and erasing.
struct Groundwork: Sendable {
    /// One thing that the gateway stands on.
    enum Part: String, Sendable, CaseIterable {
        /// Room for all events.
        case disk
        /// Room for any event.
        case closings = "room for closings"
        case archiveFolder = "archive folder"
        /// Each folder of recordings.
        case volumes
        /// Room for recordings.
        case videoRoom = "room for video"
        case blobFolder = "blob folder"
        case inspector
        case keys
        case accounts
        /// What the log says of them.
        case accountEntries = "entries of accounts"
        /// All others.
        case entries = "entries of the log"
        case fileSystem = "file system"
        case journals = "journals of SQLite"
        case maps
        case pushContact = "push contact"

        /// Whether somebody's call goes wrong without it, or is only served worse.
        var need: ServiceStandings.Need {
            switch self {
            case .disk, .volumes, .videoRoom, .inspector, .accountEntries, .entries, .fileSystem,
                .journals,
                .maps, .pushContact:
                .toKeepHouse
            case .closings, .archiveFolder, .blobFolder, .keys, .accounts: .toServe
            }
        }
    }

    static let interval = Duration.seconds(2)
    /// With less free, in bytes, not even a closing finds room.
    static let closingBytes: Int64 = 1 << 20

    let ledger: Ledger
    let video: VideoParts
    /// Maps that the gateway does without.
    var maps: Fault?
    /// Free bytes of the disk that a path is on.
    var freeBytes: @Sendable (String) throws(DiskRoom.Unknown) -> Int64 = DiskRoom.bytes(below:)

    /// Looks until it is cancelled; first when everything has had time to begin.
    func run() async throws {
        for part in Part.allCases { ledger.standings.begin(part.rawValue, part.need) }
        while true {
            try await Task.sleep(for: Self.interval)
            await tryAccountsAgain()
            await tellOwed()
            await tellLostPhones()
            look()
        }
    }

    /// Tries to write the accounts while that fails, or while they are behind the ledger, whoever wrote into them meanwhile;
    /// once they can be written they follow what was recorded.
    func tryAccountsAgain() async {
        let accounts = ledger.accounts
        guard accounts.writeFault != nil || accounts.following.fault != nil else { return }
        do {
            try await accounts.probe()
            // A log that is doubted may say what somebody put there.
            if !ledger.log.isDoubted { try await ledger.followAll() }
        } catch {
            // It is shown for as long as it is so, and tried again.
        }
    }

    /// Tells the log what a start found no room for, as soon as there is some.
    func tellOwed() async {
        guard ledger.wordsOwed.isOwed, ledger.log.readOnlyReason == nil,
            shortage(LogLimits.freeBytesMin, "", "") == nil
        else { return }
        do {
            try await ledger.tellOwed()
        } catch {
            ledger.logger.error(
                "the log was not told what a start owes it; the next start tries again",
                metadata: ["error": "\(error)"]
            )
        }
    }

    /// Tells the log of phones that went with accounts which were lost, a day behind the making of others.
    func tellLostPhones() async {
        guard ledger.log.readOnlyReason == nil else { return }
        do {
            try await ledger.tellLostPhones()
        } catch {
            ledger.logger.error(
                "the log was not told of phones that are lost; it is tried again",
                metadata: ["error": "\(error)"]
            )
        }
    }

    /// Looks once.
    func look() {
        for part in Part.allCases {
            guard let fault = fault(of: part) else {
                if ledger.standings.recover(part.rawValue) {
                    ledger.logger.notice("\(part.rawValue): well again")
                }
                continue
            }
            // Repeated, it is no news.
            if ledger.standings.fail(part.rawValue, fault) {
                ledger.logger.error("\(part.rawValue): \(fault.words)")
            }
        }
    }

    private func fault(of part: Part) -> Fault? {
        let folder = ledger.folder
        return switch part {
        case .disk:
            shortage(LogLimits.freeBytesMin, "the log takes little but closings", "make room")
                ?? inodeFault
        case .closings:
            shortage(Int(Self.closingBytes), "the log takes nothing at all", "make room now")
        case .archiveFolder:
            ledger.folders.volumes.volumes.fault
                ?? Self.fault(of: folder.media.path, S_IFDIR, X_OK)
        case .volumes:
            ledger.folders.volumes.fault ?? ledger.folders.volumes.volumes.away.first
        case .videoRoom: video.roomFault
        case .blobFolder:
            ledger.folders.blobs.fault ?? Self.fault(of: folder.blobs.path, S_IFDIR, X_OK)
        case .inspector: video.inspectorFault
        case .keys: Self.fault(of: folder.personKeys.path, S_IFREG, R_OK)
        case .accounts:
            Self.fault(of: folder.accounts.path, S_IFREG, R_OK) ?? ledger.accounts.writeFault
                ?? ledger.accounts.following.fault
        case .accountEntries: ledger.accounts.following.unread.fault
        case .entries: entriesFault
        case .fileSystem:
            Surroundings.fileSystemFault(
                of: [folder.root, folder.blobs]
                    + ledger.folders.volumes.volumes.all.map(\.folder)
            )
        case .journals: Surroundings.journalFault(in: folder)
        case .maps: maps
        case .pushContact:
            // Where none was given, nobody may have a phone to be told by push.
            ledger.configuration.push.contact.flatMap { Surroundings.contactFault($0) }
        }
    }

    /// That entries cannot be read: what they say counts for nobody, and all others are served.
    private var entriesFault: Fault? {
        let positions = ledger.log.unreadable
        guard !positions.isEmpty else { return nil }
        let shown = positions.prefix(10).map { "\($0)" }.joined(separator: ", ")
        let more = positions.count > 10 ? " and \(positions.count - 10) more" : ""
        return Fault(
            code: "unreadable \(positions.hashValue)",
            words:
                "entries of the log cannot be read, or are not those that were committed (position \(shown)\(more)): what is asked about their subjects is refused, and read models that are built now lack them; run daybook verify, restore the log"
        )
    }

    /// Whether fewer bytes are free on the log's disk, or nobody can say how many, and what follows.
    private func shortage(_ floor: Int, _ consequence: String, _ advice: String) -> Fault? {
        let free: Int64
        do throws(DiskRoom.Unknown) {
            free = try freeBytes(ledger.folder.root.path)
        } catch {
            return Fault(
                code: "room unknown \(error.code)",
                words: "\(error); it counts as none, and \(consequence): look at the disk"
            )
        }
        guard free < Int64(floor) else { return nil }
        return Fault(
            code: "room",
            words: "\(free >> 20) MiB are free; below \(floor >> 20) \(consequence): \(advice)"
        )
    }

    /// That the log's disk has room, and no file can be made there; what is written to files that are there goes on.
    private var inodeFault: Fault? {
        guard let bytes = try? DiskRoom.bytesOfFiles(below: ledger.folder.root.path), bytes == 0
        else { return nil }
        return Fault(
            code: "inodes",
            words: "no inode is left (df -i): pictures and video are refused: remove files"
        )
    }

    /// Why nothing could be written to a path, as what it must be.
    private static func fault(of path: String, _ kind: mode_t, _ access: Int32) -> Fault? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return fault("looked at", path, errno) }
        guard facts.st_mode & S_IFMT == kind else {
            return Fault(
                code: "kind",
                words: "\(path) is no \(kind == S_IFDIR ? "folder" : "file")"
            )
        }
        guard Foundation.access(path, W_OK | access) == 0 else { return fault("used", path, errno) }
        return nil
    }

    private static func fault(_ attempt: String, _ path: String, _ code: Int32) -> Fault {
        Fault(
            code: "\(attempt) \(code)",
            words: "\(path) cannot be \(attempt): \(String(cString: strerror(code)))"
        )
    }
}
