// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Stands in front of everything on a connection, TLS too, and ends it when no whole head of a request comes in time.
///
/// From the first byte of the handshake to the first head there is one deadline; between requests the deadline begins with
/// the first byte of the next one, so that somebody who only waits may wait, and nobody sends a head for an hour.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limits: ConnectionLimits
    private let table: ConnectionTable
    private let place: ConnectionTable.Place
    private var context: ChannelHandlerContext?
    private var deadline: Scheduled<Void>?
    /// Requests whose answers have not ended.
    private var open = 0
    private var hasAsked = false
    /// Streams of HTTP/2 that are open.
    private var streams = 0

    init(_ limits: ConnectionLimits, _ table: ConnectionTable, _ place: ConnectionTable.Place) {
        self.limits = limits
        self.table = table
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        begin()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasAsked, open == 0, deadline == nil { begin() }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    /// The head of a request has come whole.
    ///
    /// - Parameter isStream: Whether it came on a stream of HTTP/2, whose connection hears more than requests.
    /// - Returns: Whether it may be answered; if not, so many wait already that the connection must be closed.
    func headCame(onStream isStream: Bool) -> Bool {
        if !hasAsked { table.asked(place) }
        hasAsked = true
        deadline?.cancel()
        deadline = nil
        guard !isStream else {
            // For good: its own idleness ends a connection of HTTP/2.
            open = .max
            return true
        }
        guard open < limits.requestsWaiting else {
            table.count(.waiting)
            return false
        }
        open += 1
        return true
    }

    /// The answer to a request has ended.
    ///
    /// - Parameter isNextBegun: Whether bytes of a further head hang behind the request.
    func answerEnded(isNextBegun: Bool) {
        guard open < .max else { return }
        open = max(0, open - 1)
        if isNextBegun, open == 0, deadline == nil { begin() }
    }

    /// A stream of HTTP/2 begins.
    ///
    /// - Returns: Whether the connection may have one more.
    func streamBegan() -> Bool {
        guard streams < limits.streamsOfConnection else {
            table.count(.streams)
            return false
        }
        streams += 1
        return true
    }

    /// A stream that was let in has ended.
    func streamEnded() {
        streams -= 1
    }

    /// Says why the connection, or a stream of it, is closed.
    func closes(for reason: ConnectionTable.Closing) {
        table.count(reason)
    }

    private func begin() {
        guard let context else { return }
        let bound = NIOLoopBound((guardian: self, context: context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(limits.headWithin)) {
            bound.value.guardian.closes(for: .head)
            bound.value.context.close(promise: nil)
        }
    }
}
