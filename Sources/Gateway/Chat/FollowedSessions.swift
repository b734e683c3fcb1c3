// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// The sessions that one connection is told of, each by one follower, for as long as its reader may have them.
///
/// A follower ends when the right is lost; whoever asks again then gets another, also when both happen at once.
final class FollowedSessions: Sendable {
    /// How often each was asked for since its follower began.
    private let asks = Mutex<[SessionID: Int]>([:])

    /// Notes that a session is asked for.
    ///
    /// - Returns: Whether nobody follows it yet.
    func ask(for session: SessionID) -> Bool {
        asks.withLock { asks in
            asks[session, default: 0] += 1
            return asks[session] == 1
        }
    }

    /// Whether somebody follows it.
    func isFollowed(_ session: SessionID) -> Bool { asks(for: session) > 0 }

    /// How often it was asked for so far.
    func asks(for session: SessionID) -> Int { asks.withLock { $0[session] ?? 0 } }

    /// Ends the following of a session.
    ///
    /// - Parameters:
    ///   - session: Which one.
    ///   - asked: How often it had been asked for when the right was last looked at.
    /// - Returns: Whether it has ended; `false` if it was asked for again meanwhile.
    func end(_ session: SessionID, asked: Int) -> Bool {
        asks.withLock { asks in
            guard asks[session] == asked else { return false }
            asks[session] = nil
            return true
        }
    }
}
