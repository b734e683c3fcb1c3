// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What a log could not do beside taking events: nobody waits for it, so somebody has to ask.
///
/// Each is tried again by itself, every second, and is `nil` while it is well.
public struct LogFaults: Hashable, Sendable {
    /// Why the last checkpoint could not be signed and kept; a start refuses what the next one would have to sign.
    public let signing: String?
    /// Why the index could not be written; what is not indexed stays in memory.
    public let index: String?
    /// Why the clock's mark could not be kept; the next start believes less.
    public let clockMark: String?
}

extension EventLog {
    /// What could not be done last time.
    public var faults: LogFaults {
        let (signing, index) = state.withLock { ($0.checkpointFault, $0.indexFault) }
        return LogFaults(signing: signing, index: index, clockMark: clock.standing.markFault)
    }

    /// How many events the newest signed checkpoint is over.
    public var signedSize: UInt64 { state.withLock { $0.checkpoint?.size ?? 0 } }
}
