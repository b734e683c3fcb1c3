// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media

/// Moves the recordings of a volume that is drained to the others, once they are finished.
///
/// A file is copied under another name, synced, and gets its name; its first copy goes at the next look, when whoever had
/// just found it there has long opened it, and only if nothing was written to it since. Killed in between, both are whole.
struct VolumeDrain: Sendable {
    static let name = "draining of volumes"

    let ledger: Ledger
    /// How often it looks.
    var pause = Duration.seconds(2)

    /// Looks until it is cancelled.
    ///
    /// - Throws: What keeps it from reading the log, or from moving a file; run again, it goes on where it stood.
    func run() async throws {
        while true {
            try await look()
            try await Task.sleep(for: pause)
        }
    }

    /// Removes what was copied at an earlier look, and copies what is finished.
    func look() async throws {
        let volumes = ledger.folders.volumes.volumes
        for volume in volumes.all where volume.isDraining && volume.room.fault == nil {
            let names = try FileCopy.names(below: volume.folder)
            guard !names.isEmpty else { continue }
            let busy = try unfinished()
            for name in names where !busy.contains(SetAside.recording(of: name) ?? name) {
                try Task.checkCancellation()
                try move(name, from: volume, among: volumes)
            }
        }
    }

    private func move(_ name: String, from volume: Volume, among volumes: Volumes) throws {
        let source = volume.folder.appending(path: name)
        let others = volumes.all.filter { !$0.isDraining && $0.room.fault == nil }
        let copies = others.map { $0.folder.appending(path: name) }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
        if let copy = copies.first {
            guard FileCopy.isSame(source, copy) else {
                // It was written to behind the copy; the longer one stays.
                _ = try DurableFile.remove(copy)
                return
            }
            _ = try DurableFile.remove(source)
            return
        }
        let file = try volumes.forNew().folder.appending(path: name)
        let draft = Self.draft(of: file)
        unlink(draft.path)
        try FileCopy.copy(source, to: draft)
        try DurableFile.move(draft, to: file)
        // Whoever was erased meanwhile: the erasure looked here before there was a copy.
        guard !FileManager.default.fileExists(atPath: source.path) else { return }
        _ = try DurableFile.remove(file)
    }

    /// The name of a copy that is not whole.
    static func draft(of file: URL) -> URL {
        file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).moving")
    }

    /// The files that may still grow: of streams that are not finished, and of cameras' last two hours.
    private func unfinished() throws -> Set<String> {
        var files: [Subject: String] = [:]
        try each(StreamStarted.kind) { event in
            guard case .stream(.started(let stream)) = event.fact else { return }
            files[event.envelope.subject] = stream.file
        }
        for kind in [StreamFinalized.kind, StreamRecordingFailed.kind] {
            try each(kind) { files[$0.envelope.subject] = nil }
        }
        let hour = Duration.seconds(3_600)
        let now = ledger.now
        var footage: Set<String> = []
        try each(CameraSet.kind) { event in
            guard let id = CameraID(String(event.envelope.subject.name)) else { return }
            for time in [now, now + (.zero - hour)] {
                footage.insert(FootageName(id, at: time).path)
            }
        }
        return footage.union(files.values)
    }

    private func each(_ kind: Kind, _ take: (RecordedEvent) -> Void) throws {
        var next = LogPosition(0)
        while true {
            let page = try ledger.log.entriesPastDamage(of: kind, from: next)
            guard let after = page.next else { return }
            for event in page.events(of: ledger.log) { take(event) }
            next = after
        }
    }
}
