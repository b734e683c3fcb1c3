// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Stands in front of everything on a connection, TLS too, and ends it when no whole head of a request comes in time.
///
/// From the first byte of the handshake to the first head there is one deadline; between requests the deadline begins with
/// the first byte of the next one, so that somebody who only waits may wait, and nobody sends a head for an hour.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let time: TimeAmount
    private let table: ConnectionTable
    private let place: ConnectionTable.Place
    private var deadline: Scheduled<Void>?
    /// Requests whose answers have not ended.
    private var open = 0
    private var hasAsked = false

    init(headWithin time: Duration, _ table: ConnectionTable, _ place: ConnectionTable.Place) {
        self.time = TimeAmount(time)
        self.table = table
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        begin(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasAsked, open == 0, deadline == nil { begin(context) }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    /// The head of a request has come whole.
    ///
    /// - Parameter isStream: Whether it came on a stream of HTTP/2, whose connection hears more than requests.
    func headCame(onStream isStream: Bool) {
        if !hasAsked { table.asked(place) }
        hasAsked = true
        // For good on HTTP/2: its own idleness ends it.
        open += isStream ? 1_000_000 : 1
        deadline?.cancel()
        deadline = nil
    }

    /// The answer to a request has ended.
    func answerEnded() {
        open = max(0, open - 1)
    }

    private func begin(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: time) { bound.value.close(promise: nil) }
    }
}
