// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
import Synchronization
import Threads

/// Keeps read models level with the log: each event once, in order, rows and progress in one transaction.
///
/// One pass decodes each page for all projectors that serve. A read model that is missing, or does not fit the log,
/// is built beside and takes over when it is level; so is one that ``rebuild(_:)`` asks for, while the old one serves.
/// What one model cannot store stops no other.
public final class ProjectionRunner: Sendable {
    let log: EventLog
    let source: EntrySource
    let keys: any PersonKeys
    let lanes: [ProjectionLane]
    /// Held while a page is applied and while a build takes over.
    let turn = AsyncLock()
    /// The first position that the serving lanes do not have yet; moved by whoever has the turn.
    let cursor = Mutex<LogPosition?>(nil)
    let reports: @Sendable (ProjectionReport) -> Void
    /// How long a query waits for a position unless it says otherwise.
    public let patience: Duration

    /// Prepares the read models of a ledger and opens those that fit the log; nothing is applied before ``run()``.
    ///
    /// A folder that cannot be used now, or a file that cannot be opened, is tried again then.
    ///
    /// - Parameters:
    ///   - folder: Where the files lie (`DIR/read`); made if missing.
    ///   - log: The log that is followed.
    ///   - projectors: Which read models; each name once.
    ///   - keys: Open searched columns; the keys that exist now. Those of people whom the log calls erased must be
    ///     destroyed already.
    ///   - patience: How long a query waits for a position unless it says otherwise.
    ///   - reports: Hears of builds and faults; must return soon.
    public init(
        folder: URL,
        log: EventLog,
        projectors: [any Projector] = allProjectors,
        keys: any PersonKeys,
        patience: Duration = ProjectionLimits.waitDefault,
        reports: @escaping @Sendable (ProjectionReport) -> Void = { _ in }
    ) {
        let names = Set(projectors.map(\.identity.name))
        precondition(names.count == projectors.count, "two projectors have the same name")
        self.log = log
        source = EntrySource(log)
        let keys = RemainingKeys.watching(keys)
        self.keys = keys
        self.reports = reports
        self.patience = patience
        lanes = projectors.map {
            ProjectionLane($0, in: folder, of: log.held) { reports(.failed($0)) }
        }
        for lane in lanes {
            do { try lane.open(source, keys: keys) } catch {
                lane.leave(because: error)
                report(error, of: lane)
            }
        }
    }

    /// Where queries read a model; the same object as long as the runner lives.
    ///
    /// - Throws: ``ReadModelError/unknown(_:)``.
    public func database(_ name: String) throws(ReadModelError) -> ReadDatabase {
        try lane(name).database
    }

    /// How far each read model has come, by name.
    public var states: [ReadModelState] {
        lanes.map { lane in
            ReadModelState(
                identity: lane.projector.identity,
                isServing: lane.serving != nil,
                reached: lane.gate.reached,
                failure: lane.failure,
                failures: lane.failures
            )
        }
    }

    /// Waits until a read model shows a position, so that a writer reads what it wrote.
    ///
    /// - Parameters:
    ///   - position: The position of an event, as a receipt names it.
    ///   - name: Which read model.
    ///   - timeout: How long at most; ``patience`` unless said otherwise.
    /// - Throws: ``ReadModelError/behind(_:asked:reached:)`` after the timeout.
    public func wait(
        for position: LogPosition,
        on name: String,
        timeout: Duration? = nil
    ) async throws {
        let longest = timeout ?? patience
        let lane = try lane(name)
        let wanted = position.next.rawValue
        guard lane.gate.reached < wanted else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await lane.gate.wait(for: wanted) }
            // Cancelled as soon as the position is there.
            group.addTask { _ = try? await Task.sleep(for: longest) }
            await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
        let reached = lane.gate.reached
        guard reached >= wanted else {
            throw ReadModelError.behind(lane.projector.identity, asked: position, reached: reached)
        }
    }

    func lane(_ name: String) throws(ReadModelError) -> ProjectionLane {
        guard let lane = lanes.first(where: { $0.projector.identity.name == name }) else {
            throw .unknown(name)
        }
        return lane
    }
}

/// Every read model that comes with Daybook.
public let allProjectors: [any Projector] = [
    OperatorDeskProjector(), ConversationsProjector(), RecordingsProjector(),
    IncidentTimelineProjector(), ReportsProjector(), AlertQueueProjector(), CheckInsProjector(),
    HourlyTrendsProjector(), RegistryProjector(), DeadlinesProjector(),
    PushesProjector(), TelephonyProjector(), CamerasProjector(),
    ChannelsProjector(),
]

/// How far one read model has come.
public struct ReadModelState: Hashable, Sendable {
    public let identity: ProjectorIdentity
    /// Whether queries get answers.
    public let isServing: Bool
    /// How many events it stands for.
    public let reached: UInt64
    /// Why it stands still, while it does.
    public let failure: ProjectionError?
    /// How often it stood still since the runner was made: a small model is mended before anybody looks.
    public let failures: Int

    /// Whether it answers and takes what comes.
    public var isWell: Bool { isServing && failure == nil }
}

/// What a runner tells about builds and faults.
public enum ProjectionReport: Sendable {
    /// A build has come so far; also its first and last word.
    case building(ProjectorIdentity, done: UInt64, of: UInt64)
    /// A build took over.
    case tookOver(ProjectorIdentity, at: LogPosition)
    /// A model left the pass, or what was erased could not be taken out of unused space; it is tried again, or built anew.
    case failed(ProjectionError)
}
