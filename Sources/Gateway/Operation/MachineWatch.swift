// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Events
import Foundation
import Logging
import Synchronization

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
    /// What does not answer for so long counts as gone: calls that wait for it are lost already.
    static let patience = Duration.seconds(10)

    let ledger: Ledger
    var spares = SpareDescriptors.ofProcess
    /// What is asked of the disk; it may take for ever.
    var question: @Sendable () -> String?
    private let asked = Asked()

    init(ledger: Ledger, question: (@Sendable () -> String?)? = nil) {
        self.ledger = ledger
        let probe = DiskProbe(folder: ledger.log.held)
        self.question = question ?? { probe.fault }
    }

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

    /// Asks the disk, unless it still owes the last answer, and shows what it says, or that it says nothing.
    ///
    /// - Parameters:
    ///   - wait: How long to wait for the answer, which is shown when it comes in any case.
    ///   - patience: What a disk may take.
    func look(wait: Duration = interval, patience: Duration = patience) async {
        for part in Part.allCases { ledger.standings.begin(part.rawValue, .toServe) }
        show(spares.fault, of: .descriptors)
        if asked.begin() {
            DispatchQueue.global().async {
                show(question(), of: .storage)
                asked.end()
            }
        }
        await asked.answered(within: wait)
        guard let since = asked.since, .now - since > patience else { return }
        show(
            "\(ledger.folder.root.path): the disk has not answered for more than \(patience.components.seconds) s; look at the disk and at dmesg, then restart",
            of: .storage
        )
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

/// Whether an answer is owed, and who waits for it.
private final class Asked: Sendable {
    private struct State {
        var since: ContinuousClock.Instant?
        var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Since when one is owed; `nil` if none is.
    var since: ContinuousClock.Instant? { state.withLock(\.since) }

    /// Whether none was owed, so that one is from now on.
    func begin() -> Bool {
        state.withLock { state in
            guard state.since == nil else { return false }
            state.since = .now
            return true
        }
    }

    func end() {
        let waiters = state.withLock { state in
            defer { state = State() }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until none is owed, no longer than that.
    func answered(within wait: Duration) async {
        let name = UUID()
        await withCheckedContinuation { continuation in
            let isOwed = state.withLock { state in
                guard state.since != nil else { return false }
                state.waiters[name] = continuation
                return true
            }
            guard isOwed else { return continuation.resume() }
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))
            ) {
                self.state.withLock { $0.waiters.removeValue(forKey: name) }?.resume()
            }
        }
    }
}

/// Writes and syncs a few bytes in the ledger's folder, the one that was opened.
struct DiskProbe {
    let folder: HeldFolder

    /// Why nothing is written there and synced; that it has no room, or we no descriptor, is said elsewhere.
    var fault: String? {
        guard folder.isInPlace else {
            return
                "\(folder.path): another folder has this name now: the disk was unmounted, or another one mounted over it; nothing is written until it is mounted again; to serve what is there now, restart"
        }
        let file = "\(folder.path)/.alive"
        let descriptor = folder.open(".alive", O_CREAT | O_WRONLY | O_NOFOLLOW)
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
}
