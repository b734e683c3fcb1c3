// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore
import Threads

/// Whether whoever asked is still there, for work that is long enough to look.
enum Departure {
    /// Raised when the client of the request that this task answers has left; `nil` where nobody watches.
    @TaskLocal static var ofClient: Latch?

    /// Does something that is cancelled when the client leaves.
    ///
    /// - Throws: `CancellationError` then; what the work throws.
    static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let departure = ofClient else { return try await work() }
        return try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask { try await work() }
            tasks.addTask {
                await departure.wait()
                return nil
            }
            defer { tasks.cancelAll() }
            guard let value = try await tasks.next() ?? nil else { throw CancellationError() }
            return value
        }
    }
}

/// Watches the clients of questions about the past: only these read so much that it matters whether they still wait.
struct DepartureMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard request.text("asOf") != nil, let channel = context.channel,
            let departure = try await RequestWatch.departure(from: channel)
        else { return try await next(request, context) }
        return try await Departure.$ofClient.withValue(departure) {
            try await next(request, context)
        }
    }
}
