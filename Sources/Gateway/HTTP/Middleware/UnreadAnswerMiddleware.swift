// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// Counts the answers that are built whole and not read yet, whatever route made them: a list in JSON or CSV is in memory until
/// its reader has taken it.
///
/// Small ones do not count: a connection takes them whether they are read or not. What is written as fast as it is read has
/// a seat of its own, and no length or another type.
struct UnreadAnswerMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    private static let wholeTypes: Set<Substring> = ["application/json", "text/csv"]

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        var response = try await next(request, context)
        let type = response.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        guard let length = response.body.contentLength,
            length > GatewayLimits.smallAnswerBytes, Self.wholeTypes.contains(type)
        else { return response }
        let seat = try context.answerSeat()
        let whole = response.body
        response.body = ResponseBody(contentLength: length) { writer in
            try await whole.write(writer)
            withExtendedLifetime(seat) {}
        }
        return response
    }
}
