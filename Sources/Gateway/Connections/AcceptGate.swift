// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore

/// Stands before a listener's socket and takes no connection while hardly a descriptor is free; whoever comes then waits in
/// the system's queue.
///
/// Without it the socket would be asked again and again as fast as the machine goes, and take the last descriptor each time.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    /// How often it looks whether connections can be taken again.
    private static let interval = TimeAmount.seconds(1)

    private let spares: SpareDescriptors
    /// Whether the socket waits for us to take the next connection.
    private var isAsked = false
    private var looking: RepeatedTask?

    private init(_ spares: SpareDescriptors) {
        self.spares = spares
    }

    /// Puts a gate before the socket of a listener.
    static func stand(
        before listener: any Channel,
        _ spares: SpareDescriptors = .ofProcess
    ) async throws {
        try await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(AcceptGate(spares), position: .first)
        }.get()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let here = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
        looking = context.eventLoop.scheduleRepeatedTask(
            initialDelay: Self.interval,
            delay: Self.interval
        ) { _ in
            let (gate, context) = here.value
            let areEnough = gate.spares.look()
            guard gate.isAsked, areEnough else { return }
            gate.isAsked = false
            context.read()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        looking?.cancel()
        looking = nil
    }

    func read(context: ChannelHandlerContext) {
        guard spares.look() else {
            isAsked = true
            return
        }
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The socket asks on until somebody was let in; that takes one of those that were kept.
        if let error = error as? IOError, error.errnoCode == EMFILE { spares.letGo() }
        context.fireErrorCaught(error)
    }
}
