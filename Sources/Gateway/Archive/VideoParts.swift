// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import Logging
import Media
import Metrics
import ServiceLifecycle

/// Everything of live video that a gateway runs: the archive, the inspection, and their routes.
struct VideoParts: Sendable {
    private let ledger: Ledger
    let archive: Archive
    private let inspection: InspectionService?
    let stills: StillDesk?
    /// What cameras leave free: twice what callers' video does.
    let roomOfCameras: ArchiveRoom
    /// Apart from the stills of staff: strangers keep nobody's picture out.
    let publicPictures: PublicPictures

    /// - Parameters:
    ///   - ledger: What it records in.
    ///   - worker: The program that decodes; `nil` to inspect nothing and give no stills.
    ///   - metrics: What shows how it goes.
    ///   - logger: For what has no caller to tell.
    init(
        ledger: Ledger,
        worker: InspectionService.Worker?,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        logger: Logger
    ) {
        var limits = ArchiveLimits()
        limits.freeBytesMin = Int64(clamping: ledger.configuration.mediaReserveBytes)
        self.ledger = ledger
        let volumes = ledger.folders.volumes.volumes
        let room = { (floor: Int64) in
            ArchiveRoom(
                floor: floor,
                away: { volumes.fault },
                ask: { () throws(DiskRoom.Unknown) in try volumes.freeBytes() }
            )
        }
        roomOfCameras = room(2 * limits.freeBytesMin)
        archive = Archive(
            volumes: volumes,
            ledger: ArchiveLedger(
                log: ledger.log,
                handler: ledger.handler,
                now: { ledger.now },
                named: { ledger.oweIfErased($0) }
            ),
            keys: ledger.recordingKeys,
            timeZone: ledger.configuration.timeZone,
            limits: limits,
            room: room(limits.freeBytesMin),
            metrics: metrics,
            logger: logger
        )
        inspection = worker.map { [archive, blobs = ledger.blobs] worker in
            InspectionService(archive: archive, blobs: blobs, worker: worker, logger: logger)
        }
        stills = worker.map { [archive] in StillDesk(worker: $0, limits: archive.limits.stills) }
        publicPictures = PublicPictures(
            ledger.blobs,
            madeBy: worker.map { [archive] in
                StillDesk(worker: $0, limits: archive.limits.publicPictures)
            }
        )
    }

    /// Whether video is decoded in a sandbox.
    var isSandboxed: Bool { Sandbox.isAvailable }

    /// What waits for a decoder, and the children that are kept.
    var load: (waiting: Int, children: Int, stills: Int) {
        let inspecting = inspection?.load ?? (0, 0)
        return (inspecting.0, inspecting.1, stills?.waiting ?? 0)
    }

    /// Why the archive takes no video just now, though its folder is there.
    var roomFault: Fault? {
        do {
            try archive.room.check()
            return nil
        } catch ArchiveError.away {
            return nil
        } catch {
            return Fault(error)
        }
    }

    /// Why nothing is decoded just now.
    var inspectorFault: Fault? { inspection?.fault }

    /// What runs beside the server; inspection ends first, the archive writes its last frames after it.
    var services: [any Service] {
        let (archive, ledger) = (archive, ledger)
        let parts = [
            ledger.supervised("archive", .toServe, ending: .byItself) { try await archive.run() },
            ledger.supervised("unfinished recordings", .toKeepHouse) {
                try await archive.tryAgain()
            },
            ledger.supervised(VolumeDrain.name, .toKeepHouse) {
                try await VolumeDrain(ledger: ledger).run()
            },
        ]
        guard let inspection else { return parts }
        return parts + [
            ledger.supervised("inspection", .toKeepHouse) { try await inspection.run() }
        ]
    }

    /// Adds the routes and sockets of streams.
    var routes: [Route] {
        StreamRoutes(
            archive: archive,
            stills: stills,
            accounts: ledger.accounts,
            rights: StreamRights(
                confirm: { [ledger] in try await ledger.stillSignedIn($0) },
                check: { [ledger] reader, session in
                    try ledger.rights.check(session, for: reader)
                },
                admit: { [ledger] reader, session, attempt in
                    try await ledger.admit(reader, to: session, attempt: attempt)
                }
            )
        ).routes + RecordingSearchRoutes(ledger: ledger).routes
    }
}

extension InspectionService.Worker {
    /// This program itself, where it is the one that knows how; never a test or another host.
    static var ownProgram: InspectionService.Worker? {
        do {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: own).lastPathComponent == "daybook"
                ? InspectionService.Worker(executable: own) : nil
        } catch {
            return nil
        }
    }
}
