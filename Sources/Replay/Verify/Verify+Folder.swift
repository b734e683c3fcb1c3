// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What there is in a ledger's folder.
///
/// Each is looked at, or named as not looked at.
enum FolderPart: String, CaseIterable {
    case log, checkpoint, index, read, media, blobs, keys, clock, lock, marked
    case description = "daybook.json"
    case origin = "origin.key"
    case accounts = "accounts.db"
    case push = "push.key"
    case patrol = "patrol.key"
}

extension Verify {
    /// Finds what is neither file nor folder where files belong, before anything waits for it.
    ///
    /// - Returns: Whether there is nothing of that kind.
    mutating func checkTypes() -> Bool {
        let files = FileManager.default
        var paths = FolderPart.allCases.map(\.rawValue)
        for name in ["log", "index", "read"] {
            // A folder that is not there has no names, and is missed by its own check.
            let names = (try? files.contentsOfDirectory(atPath: folder.appending(path: name).path))
            paths += (names ?? []).map { "\(name)/\($0)" }
        }
        let special = paths.filter { RegularFile.isSpecial(folder.appending(path: $0).path) }
        for path in special.sorted() {
            add(.damage, path, "it is neither a file nor a folder", "restore it from a backup")
        }
        return special.isEmpty
    }

    /// Goes through the folder and names what was not looked at.
    mutating func nameParts(_ log: LogVerification, _ papers: LedgerPapers) {
        if options.isQuick {
            report.notLookedAt.append("everything but the log and its checkpoints (--quick)")
            return
        }
        for part in VerifyOptions.Part.allCases where options.without.contains(part) {
            report.notLookedAt.append("\(part.rawValue) (--without \(part.rawValue))")
        }
        for part in FolderPart.allCases {
            if let words = notLookedAt(part, log, papers) { report.notLookedAt.append(words) }
        }
        nameLost()
        let unproved = [FolderPart.push, .clock, .marked, .patrol].filter(isThere)
        if !unproved.isEmpty {
            let names = unproved.map(\.rawValue).joined(separator: ", ")
            report.notLookedAt.append("\(names), which no event proves")
        }
    }

    /// What of a part was not looked at; `nil` if all of it was, or if its being there is all that can be said.
    private func notLookedAt(
        _ part: FolderPart,
        _ log: LogVerification,
        _ papers: LedgerPapers
    ) -> String? {
        switch part {
        // What is wrong with them is found by the checks of the log, its checkpoints and the files that it names.
        case .log, .checkpoint, .description, .media, .blobs, .lock: return nil
        case .origin:
            guard options.looks(at: .keys), isThere(part), options.masterKey == nil else {
                return nil
            }
            return "origin.key (no master key)"
        case .keys:
            let sealed = log.merge.sealed.count
            guard options.keys == nil, sealed > 0 else { return nil }
            let why = options.masterKey == nil ? "no master key" : "the keys do not open"
            return "the inside of \(sealed) sealed fields (\(why))"
        case .accounts:
            guard options.looks(at: .accounts) else { return nil }
            guard log.isUnderstood || !isThere(part) else {
                return "accounts.db (not every event could be read)"
            }
            guard papers.isOfGateway, !isThere(part), accountsMade(log) == 0 else { return nil }
            return "accounts.db, which is gone: nobody can sign in"
        case .push, .clock, .marked, .patrol: return nil
        case .index:
            guard options.looks(at: .index), !isThere(part) else { return nil }
            return "index (there is none)"
        case .read:
            guard options.looks(at: .read), papers.isOfGateway, !isThere(part) else { return nil }
            return "read (there are no read models)"
        }
    }

    /// Names what a gateway leaves in each folder that it serves and that is gone from this one.
    ///
    /// Whoever copies a ledger leaves it out with the keys.
    private mutating func nameLost() {
        guard options.looks(at: .keys), isThere(.origin) else { return }
        if !isThere(.push) {
            addLost(
                .push,
                "it is gone, and with it every subscription of a phone to pushes",
                "restore it from a backup; otherwise the next start makes another, and phones ask for pushes again"
            )
        }
        if !isThere(.clock) {
            addLost(
                .clock,
                "it is gone, so that the next start cannot tell a clock that was set from time that passed",
                "see that this machine's clock is right before the next start, which writes it anew; an older one would not help"
            )
        }
        nameUnmarked()
    }

    /// Whichever folder has the ledger's mark, `marked` names: else an empty mount point could be taken for it.
    private mutating func nameUnmarked() {
        let marked = [FolderPart.media, .blobs].map(\.rawValue).filter { name in
            let mark = folder.appending(path: "\(name)/\(LedgerDescription.fileName)")
            return FileManager.default.fileExists(atPath: mark.path)
        }
        guard !marked.isEmpty else { return }
        var named: Set<Substring> = []
        if isThere(.marked) {
            do {
                let file = folder.appending(path: FolderPart.marked.rawValue)
                let text = String(decoding: try RegularFile.contents(file.path), as: UTF8.self)
                named = Set(text.split(separator: "\n"))
            } catch {
                guard noteUnlessOwn(error, FolderPart.marked.rawValue) != nil else { return }
            }
        }
        let lost = marked.filter { !named.contains($0[...]) }
        guard !lost.isEmpty else { return }
        let state = isThere(.marked) ? "it does not name" : "it is gone, which named"
        addLost(
            .marked,
            "\(state) \(lost.joined(separator: " and ")): while the disk of one is away, its empty mount point would be taken for it",
            "write into it, a line each: \(marked.joined(separator: ", "))"
        )
    }

    private mutating func addLost(_ part: FolderPart, _ fact: String, _ advice: String) {
        add(.missing, part.rawValue, fact, advice)
        report.notLookedAt.append("\(part.rawValue), which is not as a gateway leaves it")
    }

    private func isThere(_ part: FolderPart) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: part.rawValue).path)
    }
}
