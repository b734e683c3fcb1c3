// SPDX-License-Identifier: Apache-2.0
import Threads

/// One topic of one socket while it is open: what wakes its follower, and how it is told to end.
final class TopicSubscription: Sendable {
    let topic: Topic
    /// Comes at least once after each ``bell``; several in a row count as one.
    let wakes: AsyncStream<Void>
    /// Wakes the follower.
    let bell: AsyncStream<Void>.Continuation
    /// Raised before the follower tells why it ends by itself; ``ended`` follows.
    let givesUp = Latch()
    /// Raised once the follower has said its last word.
    let ended = Latch()
    private let ending = Latch()

    init(_ topic: Topic) {
        self.topic = topic
        (wakes, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        bell.yield()
    }

    /// Whether the follower should say no more.
    var isEnding: Bool { ending.isRaised }

    /// Returns once the follower says no more.
    func end() async {
        ending.raise()
        bell.finish()
        await ended.wait()
    }
}
