// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import NIOCore

/// Refuses bodies that are read as streams once they pass ``GatewayLimits/streamedBodyBytes``, with 413.
///
/// Commands need none: ``CommandRequest`` holds their limit. Put it on the group of routes that
/// stream: `router.group("/v1/streams").add(middleware: BodyLimitMiddleware())`.
struct BodyLimitMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        // A WebSocket's body is its messages, which have limits of their own.
        guard !request.asksForWebSocket else { return try await next(request, context) }
        let bytes = context.limits.streamedBodyBytes
        let announced = request.announcedLength ?? 0
        guard announced <= bytes else { throw Problem.bodyTooLarge(limit: bytes) }
        var request = request
        request.body = RequestBody(
            asyncSequence: LimitedBody(base: request.body, bytesMax: bytes)
        )
        return try await next(request, context)
    }
}

/// A body that throws ``Problem/bodyTooLarge(limit:)`` where it passes a limit.
private struct LimitedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let bytesMax: Int

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let bytesMax: Int
        var bytesRead = 0

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            guard let bytes = try await base.next() else { return nil }
            bytesRead += bytes.readableBytes
            guard bytesRead <= bytesMax else { throw Problem.bodyTooLarge(limit: bytesMax) }
            return bytes
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), bytesMax: bytesMax)
    }
}
