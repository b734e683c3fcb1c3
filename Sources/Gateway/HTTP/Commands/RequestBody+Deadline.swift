// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import NIOCore

extension Request {
    /// How long the body will be, where the sender said so.
    var announcedLength: Int? {
        headers[.contentLength].flatMap { NumberText.whole($0, in: 0...Int.max) }
    }
}

extension RequestBody {
    /// The whole body, if it is here in time.
    ///
    /// - Parameters:
    ///   - limit: How many bytes at most.
    ///   - time: How long it may take to come.
    /// - Returns: Its bytes.
    /// - Throws: 408 when the time is over; `NIOTooManyBytesError`; `CancellationError`.
    func collect(upTo limit: Int, within time: Duration) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { tasks in
            tasks.addTask { try await collect(upTo: limit) }
            tasks.addTask {
                try await Task.sleep(for: time)
                throw Problem.bodyTooSlow(limit: time)
            }
            defer { tasks.cancelAll() }
            let body = try await tasks.next()
            // A body whose reading was cancelled ends early, and looks whole.
            try Task.checkCancellation()
            guard let body else { throw CancellationError() }
            return body
        }
    }
}

extension Problem {
    /// The body did not come in the time that its route has for it.
    fileprivate static func bodyTooSlow(limit: Duration) -> Problem {
        Problem(
            ProblemType("body-too-slow", .requestTimeout, "Body too slow"),
            detail:
                "the body was not here within \(limit); send a smaller one, or try where the network is better",
            // What is left of the body is not waited for.
            headers: [.connection: "close"]
        )
    }
}
