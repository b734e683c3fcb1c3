// SPDX-License-Identifier: Apache-2.0
import SIP
import Threads

/// What telephones may ask of the gateway, and how long it waits for them.
enum TelephonyLimits {
    /// From sending a message to the telephone's final answer; then it counts as failed (source 1).
    static let answerWait = Duration.milliseconds(4000)
    /// Answers on their way to telephones at once.
    static let repliesAtOnce = 64
    /// How long after it was queued an answer is still sent, where the gateway was away.
    static let replyAge = Duration.seconds(60)
    /// Messages of one sender.
    static let messagesOfSender = Rate(burst: 60, perSecond: 2)
    /// Senders whose messages are counted, and whose persons are remembered.
    static let sendersRemembered = 10_000
    /// Open sessions of senders whose number nobody asserts, to which no operator has come; beyond it 486.
    static let waitingStrangersMax = 256
    /// New sessions of senders at one address whose number nobody asserts.
    static let strangersOfAddress = Rate(burst: 16, perSecond: 1.0 / 30)
    /// Bytes kept of a request; pictures in it are kept by themselves, whole.
    static let rawBytesMax = 64 << 10
    /// Malformed messages that wait to be recorded.
    static let malformedWaiting = 16
    /// Malformed messages recorded in all: of one address block one a minute.
    static let malformedRecorded = Rate(burst: 10, perSecond: 10.0 / 60)
    /// Trunks that may be named.
    static let trunksMax = 64
    /// A named trunk brings many callers.
    static let trunk: PeerLimits = {
        var limits = PeerLimits(
            requests: Rate(burst: 2000, perSecond: 1000),
            messages: Rate(burst: 8000, perSecond: 4000),
            openMax: 2048,
            connectionsMax: 256
        )
        limits.isNamed = true
        return limits
    }()
}
