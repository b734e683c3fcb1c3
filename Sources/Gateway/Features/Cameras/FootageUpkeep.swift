// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections

/// Removes footage whose time is over, and the oldest of a camera that has more than it may; what incidents keep stays, and
/// all of a camera on which a hold is.
struct FootageUpkeep: Sendable {
    static let name = "footage upkeep"

    let ledger: Ledger
    let folder: FootageFolder
    /// How often it looks.
    var pause = Duration.seconds(60)

    /// Looks until it is cancelled.
    func run() async throws {
        for camera in try await cameras() {
            // A crash can come between the event and the removal.
            for footage in try await ledger.readModels.cameras.expired(of: camera.id) {
                if let name = FootageName(footage.file) { try folder.remove(name) }
            }
        }
        while true {
            for camera in try await cameras() { try await look(at: camera) }
            try await Task.sleep(for: pause)
        }
    }

    private func cameras() async throws -> [Camera] {
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: CameraService.name)
        }
        return try await ledger.cameras(in: .wholeLedger)
    }

    /// Removes what one camera keeps no longer.
    ///
    /// - Throws: What keeps it from asking the log, or from removing a file; it is looked at again.
    func look(at camera: Camera) async throws {
        guard let settings = camera.settings, let organisation = camera.organisation else { return }
        let holds = try ledger.handler.current(Holds.self, organisation).active.values
        guard !holds.contains(where: { $0.scope == .camera(camera.id) }) else { return }
        let oldest = ledger.now + (.zero - .seconds(86_400 * settings.keptDays))
        let kept = try await ledger.readModels.cameras.footage(of: camera.id)
        let spared = try await ledger.readModels.cameras.kept(of: camera.id)
        var bytes = try await ledger.readModels.cameras.bytes(of: camera.id)
        for footage in kept {
            let isOver = footage.lastAt < oldest
            guard isOver || bytes > settings.keptBytes, footage.file != camera.newest?.file else {
                break
            }
            guard !spared.contains(where: { $0.overlaps(footage) }) else { continue }
            bytes -= footage.bytes
            guard let name = FootageName(footage.file) else { continue }
            // The event comes first: what is in no event may be removed again, what is removed without one is damage.
            let expired = CameraFootageExpired(
                file: footage.file,
                bytes: footage.bytes,
                cause: isOver ? .days : .space
            )
            let span = footage.firstAt...max(footage.firstAt, footage.lastAt)
            do {
                _ = try await ledger.handler.handle(
                    ExpireFootage(camera.id, expired, of: span),
                    ledger.context(actor: .cameras, organisation: organisation)
                )
            } catch CameraRefusal.kept, CameraRefusal.held {
                // Since the rows were read; its bytes stay.
                bytes += footage.bytes
                continue
            }
            try folder.remove(name)
        }
    }
}

extension KeptFootage {
    /// Whether a file has pictures of the span.
    fileprivate func overlaps(_ footage: Footage) -> Bool {
        firstAt <= footage.lastAt && footage.firstAt <= lastAt
    }
}
