// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Logging

/// Looks at what the gateway stands on and does not run itself, and shows in `/readyz` where it gives way: the disk, the
/// archive's folder, the program that decodes, and the file of people's keys.
struct Groundwork: Sendable {
    /// One thing that the gateway stands on.
    enum Part: String, Sendable, CaseIterable {
        case disk
        case archiveFolder = "archive folder"
        case inspector
        case keys

        /// Whether somebody's call goes wrong without it.
        var need: ServiceStandings.Need { self == .inspector ? .toKeepHouse : .toServe }
    }

    static let interval = Duration.seconds(2)

    let ledger: Ledger
    let video: VideoParts
    /// Free bytes of the disk that a path is on.
    var freeBytes: @Sendable (String) -> Int64 = { ArchiveRoom.freeBytes(of: $0) }

    /// Looks until it is cancelled; first when everything has had time to begin.
    func run() async throws {
        for part in Part.allCases { ledger.standings.begin(part.rawValue, part.need) }
        while true {
            try await Task.sleep(for: Self.interval)
            look()
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
                ledger.logger.error("\(part.rawValue): \(fault)")
            }
        }
    }

    private func fault(of part: Part) -> String? {
        switch part {
        case .disk: diskFault
        case .archiveFolder:
            Self.fault(of: ledger.folder.media.path, S_IFDIR, X_OK) ?? video.roomFault
        case .inspector: video.inspectorFault
        case .keys: Self.fault(of: ledger.folder.personKeys.path, S_IFREG, R_OK)
        }
    }

    private var diskFault: String? {
        let free = freeBytes(ledger.folder.root.path)
        guard free < LogLimits.freeBytesMin else { return nil }
        return
            "\(free >> 20) MiB are free; below \(LogLimits.freeBytesMin >> 20) the log takes little but closings: make room"
    }

    /// Why nothing could be written to a path, as what it must be.
    private static func fault(of path: String, _ kind: mode_t, _ access: Int32) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            return "\(path) cannot be looked at: \(String(cString: strerror(errno)))"
        }
        guard facts.st_mode & S_IFMT == kind else {
            return "\(path) is no \(kind == S_IFDIR ? "folder" : "file")"
        }
        guard Foundation.access(path, W_OK | access) == 0 else {
            return "\(path) cannot be used: \(String(cString: strerror(errno)))"
        }
        return nil
    }
}
