// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// Logs and counts each request once its answer is known.
///
/// The log has the route's pattern, never the path, the query or a body: those may tell of a
/// person. Labels of metrics are bounded for the same reason and for memory's sake.
struct AccessLogMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let metrics: any MetricsFactory

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        var context = context
        context.metrics = metrics
        let begin = ContinuousClock.now
        let response = try await next(request, context)
        let elapsed = ContinuousClock.now - begin
        let route = context.endpointPath ?? "unknown"
        count(request, route: route, status: response.status, elapsed: elapsed)
        context.logger.info(
            "answered",
            metadata: [
                "category": "access", "method": "\(request.method.label)", "route": "\(route)",
                "status": "\(response.status.code)", "peer": "\(context.remoteAddress)",
                "milliseconds": "\((elapsed / .milliseconds(1) * 1000).rounded() / 1000)",
            ]
        )
        return response
    }

    private func count(
        _ request: Request,
        route: String,
        status: HTTPResponse.Status,
        elapsed: Duration
    ) {
        let dimensions = [("method", request.method.label), ("route", route)]
        Counter(
            label: "http_requests",
            dimensions: dimensions + [("status", String(status.code))],
            factory: metrics
        ).increment()
        let (seconds, attoseconds) = elapsed.components
        Metrics.Timer(label: "http_request_seconds", dimensions: dimensions, factory: metrics)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

extension HTTPRequest.Method {
    /// The methods that are told by name.
    private static let known: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]

    /// The method as a label: one that a client invented is `other`, so that nobody makes series.
    fileprivate var label: String { Self.known.contains(self) ? rawValue : "other" }
}
