// SPDX-License-Identifier: Apache-2.0

/// What holds for connections, each with its unit.
///
/// What passes a limit is closed without a word: there is nobody yet to answer.
struct ConnectionLimits: Sendable {
    /// Connections open at once; further ones take the place of those that have asked for nothing.
    var inAll = 4096
    /// Connections of one address, and of these such as have asked for nothing yet.
    ///
    /// An IPv6 /64 counts as one address; a whole centre may sit behind one.
    var ofAddress = 1024
    var strangersOfAddress = 64
    /// Requests of one connection of HTTP/1.1 that wait for their answers, the one that is being answered with them.
    ///
    /// Each costs its decoding at once, before anything can say that it is too much; no browser sends a second one.
    var requestsWaiting = 16
    /// Streams of HTTP/2 that one connection may have open at once; not more than the 100 that the protocol's part announces.
    var streamsOfConnection = 100
    /// How long a first head may take from the beginning, the handshake of TLS with it, and how long each further one.
    var headWithin = Duration.seconds(10)
    /// How long a connection may stay silent between requests.
    var idle = Duration.seconds(75)
    /// How long we wait for a body that is not coming; each of so many bytes that came lets us wait a second longer.
    var bodyGrace = Duration.seconds(20)
    var bodyBytesPerSecond = 1024
    /// How long an answer may wait for somebody to read on.
    var answerUnread = Duration.seconds(45)
    /// Connections to the listener of `/metrics`.
    var ofMetrics = 64
    /// Descriptors kept beyond those of the connections, for log, archive, read models and children.
    var reservedDescriptors = 1024

    /// The same for the listener of `/metrics`, which is few programs'.
    var ofMetricsListener: ConnectionLimits {
        var limits = self
        limits.inAll = ofMetrics
        return limits
    }
}
