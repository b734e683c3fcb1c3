// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Events
import Foundation
import Logging

/// Looks whether the machine still gives what nothing goes without, a disk that writes and descriptors, and shows it in
/// `/readyz`.
///
/// A disk that is gone answers nobody any more, and nothing says so but the calls that it fails: so one is made.
struct MachineWatch: Sendable {
    /// What the machine gives, as `/readyz` has it.
    enum Part: String, CaseIterable {
        case storage
        case descriptors
    }

    static let interval = Duration.seconds(2)

    let ledger: Ledger
    var spares = SpareDescriptors.ofProcess

    /// Whether the ledger's disk writes and syncs, as the last look found it.
    static func isStorageWell(_ standings: ServiceStandings) -> Bool {
        standings.fault(of: Part.storage.rawValue) == nil
    }

    /// Looks until it is cancelled.
    func run() async throws {
        while true {
            try await Task.sleep(for: Self.interval)
            await look()
        }
    }

    /// Looks once; a disk may keep whoever asks waiting, and nobody else waits with them.
    func look() async {
        for part in Part.allCases { ledger.standings.begin(part.rawValue, .toServe) }
        let fault: String? = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: storageFault) }
        }
        show(fault, of: .storage)
        show(spares.fault, of: .descriptors)
    }

    /// Why nothing is written to the ledger's disk and synced; that it has no room, or we no descriptor, is said elsewhere.
    private var storageFault: String? {
        let file = ledger.folder.root.appending(path: ".alive").path
        let descriptor = open(file, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return Self.words(file, "open", errno) }
        defer { close(descriptor) }
        let text = Array("\(Int(Date.now.timeIntervalSince1970))\n".utf8)
        guard pwrite(descriptor, text, text.count, 0) == text.count else {
            return Self.words(file, "write", errno)
        }
        guard fdatasync(descriptor) == 0 else { return Self.words(file, "sync", errno) }
        return nil
    }

    private static func words(_ file: String, _ call: String, _ code: Int32) -> String? {
        guard ![ENOSPC, EDQUOT, EMFILE, ENFILE].contains(code) else { return nil }
        return
            "\(file): \(call): \(String(cString: strerror(code))); look at the disk and at dmesg, mount it again, then restart"
    }

    private func show(_ words: String?, of part: Part) {
        let (name, standings) = (part.rawValue, ledger.standings)
        guard let words else {
            guard standings.recover(name) else { return }
            return ledger.logger.notice("it is well again", metadata: ["part": "\(name)"])
        }
        guard standings.fail(name, Fault(code: name, words: words)) else { return }
        ledger.logger.error(
            "the machine does not give what the gateway needs",
            metadata: ["part": "\(name)", "error": "\(words)"]
        )
    }
}
