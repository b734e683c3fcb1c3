// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import NIOCore

/// Asks for the body of a request with `Expect: 100-continue` when somebody reads it.
///
/// What is refused by its head alone is refused before its body is sent. Any other expectation is refused with 417 (RFC 9110
/// §10.1.1).
struct ExpectationMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard let expectation = request.headers[.expect] else {
            return try await next(request, context)
        }
        guard expectation.lowercased() == "100-continue" else {
            throw Problem(.expectationFailed, detail: "the one expectation here is 100-continue")
        }
        guard let channel = context.channel, !request.asksForWebSocket else {
            return try await next(request, context)
        }
        var request = request
        request.body = RequestBody(
            asyncSequence: AwaitedBody(base: request.body) {
                channel.triggerUserOutboundEvent(HeadRules.BodyIsWanted(), promise: nil)
            }
        )
        return try await next(request, context)
    }
}

/// A body that says when it is wanted.
private struct AwaitedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let isWanted: @Sendable () -> Void

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        /// `nil` once it was said.
        var isWanted: (@Sendable () -> Void)?

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            isWanted?()
            isWanted = nil
            return try await base.next()
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), isWanted: isWanted)
    }
}
