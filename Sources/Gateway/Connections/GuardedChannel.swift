// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import Logging
import NIOCore

/// A connection with a place in the table and a guard in front of everything else.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    typealias Value = Base.Value

    let base: Base
    let table: ConnectionTable
    let limits: ConnectionLimits
    /// Addresses whose connections are not counted together: those of proxies.
    let uncounted: Set<String>

    /// There is no room for the connection.
    struct Refused: Error {}

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let address = channel.remoteAddress?.ipAddress ?? "local"
        let holder = uncounted.contains(address) ? nil : NetworkAddress.holder(of: address)
        guard let place = table.enter(holder, end: { channel.close(promise: nil) }) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(Refused())
        }
        channel.closeFuture.whenComplete { [table] _ in table.leave(place) }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                ConnectionGuard(limits, table, place)
            )
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension ServerChildChannel {
    /// The same with a guard in front.
    func guarded(
        by table: ConnectionTable,
        _ limits: ConnectionLimits,
        uncounted: Set<String>
    ) -> any ServerChildChannel {
        GuardedChannel(base: self, table: table, limits: limits, uncounted: uncounted)
    }
}
