// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1

/// Turns whatever is thrown behind it into a problem, by ``ProblemTable``.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// Tells an unknown path from a known one with another method.
    let routes: RouteTable

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        do {
            if let refused = context.refusedHead { throw refused }
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // The request itself broke off: the connection answers and closes.
            throw error
        } catch {
            let problem = problem(for: error, request: request)
            if problem.isFault {
                context.logger.error("request failed", metadata: ["error": "\(error)"])
            }
            return problem.response(requestID: context.requestID)
        }
    }

    private func problem(for error: any Error, request: Request) -> Problem {
        guard let error = error as? HTTPError, error.status == .notFound else {
            return ProblemTable.problem(for: error)
        }
        let methods = routes.methods(of: request.uri.path)
        guard !methods.isEmpty else {
            return Problem(.unknownRoute, detail: "see the OpenAPI file for the routes")
        }
        return Problem(
            .methodNotAllowed,
            detail: "use \(methods.joined(separator: " or "))",
            facts: ["allowed": .strings(methods)],
            headers: [.allow: methods.joined(separator: ", ")]
        )
    }
}
