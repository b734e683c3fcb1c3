// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Synchronization

/// One projector while it runs: its files, what serves, and who waits for it.
final class ProjectionLane: Sendable {
    let projector: any Projector
    let folder: ProjectionFolder
    let database: ReadDatabase
    let gate = PositionGate()
    /// Held by the one build that may use the building file.
    let builds = TurnLock()
    private let state = Mutex(State())

    private struct State {
        var serving: ProjectionFile?
        var failure: ProjectionError?
    }

    /// Hears of what could not be erased.
    private let faults: @Sendable (ProjectionError) -> Void

    init(
        _ projector: any Projector,
        in folder: URL,
        faults: @escaping @Sendable (ProjectionError) -> Void = { _ in }
    ) {
        self.faults = faults
        self.projector = projector
        self.folder = ProjectionFolder(folder, projector.identity)
        database = ReadDatabase(projector.identity)
    }

    /// The file that queries read and pages are applied to; `nil` during the first build.
    var serving: ProjectionFile? { state.withLock { $0.serving } }

    /// Why the last page could not be stored, while that is so.
    var failure: ProjectionError? { state.withLock { $0.failure } }

    /// Whether somebody removed the file that serves; its open connections would go on without a name.
    var isRemoved: Bool {
        guard let serving else { return false }
        return folder.current()?.path != serving.path
    }

    /// Stops serving; queries hear that the model is being built.
    func withdraw() throws {
        state.withLock { $0.serving = nil }
        database.withdraw()
        try folder.make()
    }

    func note(_ failure: ProjectionError?) {
        state.withLock { $0.failure = failure }
    }

    /// Opens what an earlier run left, if it fits the log; otherwise removes it.
    func open(_ source: EntrySource, keys: any PersonKeys) throws {
        try folder.removeOlderVersions()
        try folder.removeStale()
        guard let url = folder.current() else { return }
        guard let file = try fitting(url, mode: .serving, source, keys) else {
            try folder.discardCurrent()
            return
        }
        try serve(file)
    }

    /// Opens the build that an earlier run left, or begins a new one.
    func openBuild(_ source: EntrySource, keys: any PersonKeys) throws -> ProjectionFile {
        if FileManager.default.fileExists(atPath: folder.building.path) {
            if let file = try fitting(folder.building, mode: .building, source, keys) {
                return file
            }
            try folder.discard(folder.building)
        }
        return try ProjectionFile(
            projector,
            at: folder.building,
            mode: .building,
            origin: source.origin,
            keys: keys,
            faults: faults
        )
    }

    /// Makes a finished build serve, in one step.
    func takeOver(_ build: ProjectionFile, origin: String, keys: any PersonKeys) throws {
        try build.close()
        let url = try folder.adopt(folder.building)
        try serve(
            ProjectionFile(
                projector,
                at: url,
                mode: .serving,
                origin: origin,
                keys: keys,
                faults: faults
            )
        )
        try folder.removeStale()
    }

    private func serve(_ file: ProjectionFile) throws {
        let progress = file.progress()
        // The old connections end when their last reader lets go of them.
        state.withLock { $0.serving = file }
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

extension LogPosition {
    /// The place before this one; `nil` before the first.
    var previous: LogPosition? { rawValue == 0 ? nil : LogPosition(rawValue - 1) }
}
