// SPDX-License-Identifier: Apache-2.0
public import Events

/// A command on a stream that has begun: the stream alone decides.
public protocol StreamCommand: Command where State == Stream {
    /// The stream that it is about.
    var stream: StreamID { get }
}

extension StreamCommand {
    public var subject: Subject { .stream(stream) }

    public func read(_ ledger: inout LedgerView) throws -> Stream {
        try ledger.read(Stream.self, stream)
    }
}
