// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization

/// The ledger's time: the wall clock, as far as it can be believed (``ClockWatch``).
///
/// Events are recorded with it and decisions go by it, so that an age is never the difference of two clocks.
public final class GuardedClock: Sendable {
    private let folder: URL
    private let clock: LedgerClock
    private let boot: String?
    private let sealer: CommitSealer?
    private let watch: Mutex<ClockWatch>
    /// When the mark was written last, on the monotonic clock, and what kept it from being written.
    private let marking: Mutex<(at: Duration?, fault: String?)>

    /// Begins at a ledger's last event and at the mark that an earlier process left.
    ///
    /// With the ledger's keys a mark is believed only with its seal, without them any that can be.
    init(
        folder: URL,
        clock: LedgerClock,
        lastRecorded: Timestamp?,
        sealer: CommitSealer? = nil
    ) {
        self.folder = folder
        self.sealer = sealer
        self.clock = clock
        boot = clock.boot()
        marking = Mutex((nil, nil))
        watch = Mutex(
            ClockWatch(
                at: clock.reading(),
                boot: boot,
                lastRecorded: lastRecorded,
                mark: ClockMark.read(in: folder, sealer: sealer)
            )
        )
    }

    /// The ledger's time now; never before the last event, and never before what was told earlier.
    public var now: Timestamp {
        watch.withLock { $0.read(clock.reading()) }
    }

    /// How the wall clock stands to the ledger's time now.
    public var standing: ClockStanding {
        let fault = marking.withLock(\.fault)
        return watch.withLock { watch in
            _ = watch.read(clock.reading())
            return ClockStanding(watch, markFault: fault)
        }
    }

    /// How a ledger's clock stands by the mark in its folder, for whoever looks beside the process that serves it.
    ///
    /// - Returns: What a start would find now; `nil` if nobody left a mark yet.
    public static func standing(
        of folder: URL,
        clock: LedgerClock = .system
    ) -> ClockStanding? {
        guard let mark = ClockMark.read(in: folder, sealer: nil) else { return nil }
        let watch = ClockWatch(
            at: clock.reading(),
            boot: clock.boot(),
            lastRecorded: nil,
            mark: mark
        )
        return ClockStanding(watch, markFault: nil)
    }

    /// What the ledger's time passed over since this process began, and before it; the newest last.
    public var jumps: [ClockJump] { watch.withLock(\.jumps) }

    // MARK: For the writer

    /// Whether a step waits to be recorded.
    var hasStepped: Bool {
        watch.withLock { watch in
            _ = watch.read(clock.reading())
            return !watch.steps.isEmpty
        }
    }

    func takeSteps() -> [ClockWatch.Step] { watch.withLock { $0.takeSteps() } }

    func giveBack(_ steps: [ClockWatch.Step]) { watch.withLock { $0.giveBack(steps) } }

    /// Follows the wall clock from now on.
    func confirm() {
        watch.withLock { watch in
            _ = watch.read(clock.reading())
            watch.confirm()
        }
    }

    /// Whether the mark is so old that a start after a power cut would believe too little.
    var isMarkDue: Bool {
        guard let last = marking.withLock(\.at) else { return true }
        return clock.monotonic() - last >= LogLimits.clockMarkInterval
    }

    /// Leaves word for the next process.
    ///
    /// Without room on the disk the old mark stays, which makes the next start believe less; it is tried again.
    func writeMark() {
        let mark = watch.withLock { watch in
            _ = watch.read(clock.reading())
            return watch.mark(boot: boot)
        }
        let fault: String?
        do {
            try mark.write(in: folder, sealer: sealer)
            fault = nil
        } catch {
            fault = "the clock's mark could not be written: \(error)"
        }
        marking.withLock { $0 = (mark.monotonic, fault) }
    }
}

/// How the wall clock stands to the ledger's time.
public struct ClockStanding: Hashable, Sendable {
    /// Since when the wall clock is not followed, in the ledger's time; `nil` if it is.
    public let heldSince: Timestamp?
    /// How far the wall clock is ahead of the ledger's time; below zero it is behind.
    public let lead: Duration
    /// Why the last mark could not be kept.
    public let markFault: String?

    init(_ watch: ClockWatch, markFault: String?) {
        heldSince = watch.heldSince
        lead = watch.lead
        self.markFault = markFault
    }
}

extension ClockStanding {
    /// What somebody has to see to, in words that stay while it is the same; `nil` while the wall clock is followed closely.
    public var fault: String? {
        if let heldSince {
            return
                "the wall clock is ahead and not followed since \(heldSince): put it right, or confirm it (daybook clock confirm)"
        }
        guard lead < .zero - LogLimits.clockBehindMax else { return nil }
        return
            "the wall clock is far behind the ledger's time: if it is slow, put it right; if it was fast before, both meet by themselves"
    }
}

extension ClockStanding: CustomStringConvertible {
    /// The fact, and the way out if there is one.
    public var description: String {
        if let heldSince {
            return
                "the wall clock is \(seconds(lead)) ahead and not followed since \(heldSince): put it right, or confirm it (daybook clock confirm)"
        }
        guard lead < .zero - LogLimits.clockStepMin else { return "the wall clock is followed" }
        return
            "the wall clock is \(seconds(.zero - lead)) behind the ledger's time: it is slow, and has to be put right, or it was fast before; the ledger's time goes on a hundredth slower until they meet"
    }

    private func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }
}
