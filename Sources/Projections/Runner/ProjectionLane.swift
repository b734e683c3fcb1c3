// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Synchronization
import Threads

/// One projector while it runs: its files, what serves, and who waits for it.
final class ProjectionLane: Sendable {
    let projector: any Projector
    let folder: ProjectionFolder
    let database: ReadDatabase
    let gate = PositionGate()
    /// Held by the one build that may use the building file.
    let builds = AsyncLock()
    private let state = Mutex(State())

    private struct State {
        var serving: ProjectionFile?
        /// Whether the serving file takes each page with the others.
        var isInPass = false
        var isBeingMended = false
        var failure: ProjectionError?
        var failures = 0
        /// What a query met that makes the file look damaged.
        var suspicion: ProjectionError?
        /// How long after a takeover a suspicion counts; longer each time, so that a query of ours that is wrong does not
        /// have its model built for ever.
        var suspicionPause = Duration.zero
        var servingSince = ContinuousClock.now
    }

    /// Hears of what could not be erased.
    private let faults: @Sendable (ProjectionError) -> Void
    private let held: HeldFolder?

    init(
        _ projector: any Projector,
        in folder: URL,
        of held: HeldFolder? = nil,
        faults: @escaping @Sendable (ProjectionError) -> Void = { _ in }
    ) {
        self.faults = faults
        self.held = held
        self.projector = projector
        self.folder = ProjectionFolder(folder, projector.identity, in: held)
        database = ReadDatabase(projector.identity)
        // The lane outlives its database, which is nobody else's.
        database.onDamage { [weak self] reason in self?.suspect(reason) }
    }

    /// The file that queries read; `nil` until the first build is over, and after the file was removed or damaged.
    var serving: ProjectionFile? { state.withLock { $0.serving } }

    /// The file that takes each page with the others; `nil` while it stands still or is built.
    var inPass: ProjectionFile? { state.withLock { $0.isInPass ? $0.serving : nil } }

    /// Why it stands still, while it does.
    var failure: ProjectionError? { state.withLock { $0.failure } }

    /// How often it left the pass because of a fault, since it was made.
    var failures: Int { state.withLock { $0.failures } }

    /// Whether nobody looks after a lane that is not in the pass.
    var isForsaken: Bool { state.withLock { !$0.isInPass && !$0.isBeingMended } }

    /// Takes the care for the lane; false if somebody has it.
    func beginMending() -> Bool {
        state.withLock { state in
            guard !state.isBeingMended else { return false }
            state.isBeingMended = true
            return true
        }
    }

    /// Has the file say how far it is, when nobody takes it further for now.
    func settle() {
        do { try serving?.settle() } catch {
            // Whoever opens it next reads some entries again.
        }
    }

    func endMending() {
        state.withLock { $0.isBeingMended = false }
    }

    /// Opens what an earlier run left, if it fits the log; otherwise removes it.
    func open(_ source: EntrySource, keys: any PersonKeys) throws {
        try folder.make()
        try folder.removeOlderVersions()
        try folder.removeStale()
        guard let url = folder.current() else { return }
        do throws(ForeignNeighbour) {
            try DatabaseNeighbours.check(url)
        } catch {
            faults(.damaged(projector.identity, path: url.path, reason: "\(error)"))
            try folder.discardCurrent()
            return
        }
        guard let file = try fitting(url, mode: .serving, source, keys) else {
            try folder.discardCurrent()
            return
        }
        serve(file)
    }

    /// Opens the build that an earlier run left, or begins a new one.
    func openBuild(_ source: EntrySource, keys: any PersonKeys) throws -> ProjectionFile {
        try folder.make()
        if FileManager.default.fileExists(atPath: folder.building.path) {
            // A power cut may have left what was not yet synced in any order.
            if let file = try fitting(folder.building, mode: .building, source, keys),
                try file.isSound()
            {
                return file
            }
        }
        try folder.discard(folder.building)
        return try ProjectionFile(
            projector,
            at: folder.building,
            mode: .building,
            origin: source.origin,
            keys: keys,
            in: held,
            faults: faults
        )
    }

    /// Makes a finished build serve, in one step.
    func takeOver(_ build: ProjectionFile, origin: String, keys: any PersonKeys) throws {
        let built = build.progress()
        try build.close()
        let url = try folder.adopt(folder.building)
        let file = try ProjectionFile(
            projector,
            at: url,
            mode: .serving,
            origin: origin,
            keys: keys,
            in: held,
            faults: faults
        )
        guard file.progress() == built else {
            try folder.discardCurrent()
            throw ProjectionError.damaged(
                projector.identity,
                path: url.path,
                reason: "it stands for \(file.progress().next) events, \(built.next) were built"
            )
        }
        // What cannot be removed now is, by the next takeover or start.
        do { try folder.removeStale() } catch { faults(projectionError(error)) }
        serve(file)
    }

    private func serve(_ file: ProjectionFile) {
        let progress = file.progress()
        // The old connections end when their last reader lets go of them.
        state.withLock { state in
            state.serving = file
            state.isInPass = true
            state.failure = nil
            state.suspicion = nil
            state.servingSince = .now
        }
        database.serve(file.connections)
        gate.advance(to: progress.next)
    }

    /// A file whose last leaf is not the log's at that place belongs to another history: it is discarded.
    private func fitting(
        _ url: URL,
        mode: ProjectionFile.Mode,
        _ source: EntrySource,
        _ keys: any PersonKeys
    ) throws -> ProjectionFile? {
        let file: ProjectionFile
        do {
            file = try ProjectionFile(
                projector,
                at: url,
                mode: mode,
                origin: source.origin,
                keys: keys,
                in: held,
                faults: faults
            )
        } catch is ProjectionError {
            return nil
        }
        let progress = file.progress()
        guard let last = progress.next.previous else { return file }
        if let leaf = try source.leaf(at: last), leaf == progress.leaf { return file }
        try file.close()
        return nil
    }
}

/// A lane whose file cannot take what comes.
extension ProjectionLane {
    /// Leaves the pass; what is damaged serves no more.
    ///
    /// - Parameter fault: Why; shown until the lane is in the pass again.
    func leave(because fault: any Error) {
        let failure = projectionError(fault)
        let isDamaged = failure.isDamage
        state.withLock { state in
            state.isInPass = false
            state.failure = failure
            state.failures += 1
            state.suspicion = nil
            if isDamaged { state.serving = nil }
        }
        guard isDamaged else { return }
        database.withdraw()
        // A link that stays leads the next start to the same file, which it then finds damaged, too.
        do { try folder.discardLink() } catch { faults(projectionError(error)) }
    }

    /// Leaves the pass if something is wrong with the file that serves; the caller has the turn.
    ///
    /// - Returns: What is wrong.
    func leaveIfWounded() -> ProjectionError? {
        guard let fault = wound else { return nil }
        leave(because: fault)
        return fault
    }

    /// Takes no pages for a while, though nothing is wrong.
    func pause() {
        state.withLock { $0.isInPass = false }
    }

    /// Comes back into the pass; the caller has the turn, and the file stands where the others do.
    func join(_ file: ProjectionFile) {
        state.withLock { state in
            guard state.serving === file else { return }
            state.isInPass = true
            state.failure = nil
        }
    }

    /// What is wrong with the file that serves, as far as can be seen without reading it.
    var wound: ProjectionError? {
        let (serving, suspicion) = state.withLock { ($0.serving, $0.suspicion) }
        // Of what lies in another folder than the ledger's nothing follows for its files.
        guard let serving, folder.isInPlace else { return nil }
        if let suspicion { return suspicion }
        guard folder.current()?.path != serving.path || !serving.hasItsNames else { return nil }
        return damage("somebody removed or replaced \(serving.path) or a file beside it")
    }

    /// Notes what a query met that makes the file look damaged.
    func suspect(_ reason: String) {
        let suspicion = damage(reason)
        state.withLock { state in
            guard state.serving != nil, state.suspicion == nil,
                ContinuousClock.now - state.servingSince >= state.suspicionPause
            else { return }
            state.suspicion = suspicion
            state.suspicionPause = min(
                max(state.suspicionPause * 2, ProjectionLimits.retryPause),
                ProjectionLimits.retryPauseMax
            )
        }
    }

    /// Has SQLite look at the pages of the file that serves, beside its readers and its writer.
    func check() async {
        guard let serving else { return }
        do {
            let words = try await serving.connections.read { database in
                try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            }
            if words != "ok" { suspect(words ?? "SQLite says nothing of it") }
        } catch let fault as DatabaseError where SQLFailure.isDamage(fault.resultCode.rawValue) {
            suspect("\(fault)")
        } catch {
            // It was cancelled or is busy: whoever uses a bad page finds it.
        }
    }

    private func damage(_ reason: String) -> ProjectionError {
        .damaged(projector.identity, path: folder.link.path, reason: reason)
    }

    /// A fault in the words of this lane.
    func projectionError(_ fault: any Error) -> ProjectionError {
        switch fault {
        case let fault as ProjectionError: fault
        default: .cannotOpen(path: folder.link.path, reason: "\(fault)")
        }
    }
}

extension LogPosition {
    /// The place before this one; `nil` before the first.
    var previous: LogPosition? { rawValue == 0 ? nil : LogPosition(rawValue - 1) }
}
