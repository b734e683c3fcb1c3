// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Logging

/// Names each request, or takes the name that a client or proxy gave it.
///
/// The first middleware: everything behind it logs the name, and every answer carries it.
struct RequestIDMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let limits: GatewayLimits
    let sockets: SocketQuota
    let answers: SocketQuota

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        var context = context
        context.limits = limits
        context.sockets = sockets
        context.answers = answers
        if let given = request.headers[.requestID], Self.isUsable(given) {
            context.requestID = given
        }
        context.logger[metadataKey: "request"] = .string(context.requestID)
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        return response
    }

    /// Short and without anything that could break a line of the log.
    static func isUsable(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
