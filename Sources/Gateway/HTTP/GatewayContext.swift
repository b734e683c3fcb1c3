// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import NIOCore

/// What a middleware hands a request on to.
typealias NextResponder = @concurrent (Request, GatewayContext) async throws -> Response

/// What accompanies one request through middleware and route.
struct GatewayContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection; `nil` when the router is called without one.
    let channel: (any Channel)?
    /// The address of the client, without its port: of the peer, or whom a trusted proxy names.
    var remoteAddress: String
    /// What a trusted proxy was asked for, if it tells: a host, perhaps with a port.
    var forwardedHost: String?
    /// Names this request in the log, in `X-Request-ID` and in problems.
    var requestID = RequestID().description
    /// Who sent it; `nil` when nobody is signed in.
    var principal: Principal?
    /// Who may use its route; nobody, unless the route says so.
    var askers: Askers = []
    /// What its route says that it reads of personal data; see ``Route/reads``.
    var reads: String?
    /// Where its sockets are counted.
    var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// The limits of this gateway.
    var limits = GatewayLimits()
    /// Why its head was refused before anybody looked at it; `nil` for a sound one.
    var refusedHead: Problem?
    /// Counts what stays open; `nil` without a door.
    var sockets: SocketQuota?
    /// Counts transcripts and pictures that are not read yet; `nil` without a door.
    var answers: SocketQuota?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// For routers that are called without a connection.
    init(logger: Logger, remoteAddress: String = "local") {
        coreContext = CoreRequestContextStorage(source: LoggerSource(logger: logger))
        channel = nil
        self.remoteAddress = remoteAddress
    }

    var maxUploadSize: Int { limits.commandBodyBytes }
    var requestDecoder: JSONBody { JSONBody() }
    var responseEncoder: JSONBody { JSONBody() }

    private struct LoggerSource: RequestContextSource {
        let logger: Logger
    }
}

extension GatewayContext {
    /// A seat for a socket or a feed, to be held as long as it is open.
    ///
    /// - Throws: 429 when this principal, or this stranger's address, has too many open.
    func seat() throws(Problem) -> SocketQuota.Seat? {
        try sockets?.seat(of: principal, at: remoteAddress)
    }

    /// A seat for a large answer, to be held until it has gone: what is asked for and not read takes memory.
    ///
    /// - Throws: 429 when this principal has too many under way.
    func answerSeat() throws(Problem) -> SocketQuota.Seat? {
        try answers?.seat(of: principal, at: remoteAddress)
    }

    /// Whoever is signed in.
    ///
    /// - Throws: 401 when nobody is; 403 while the password is a temporary one.
    func signedIn() throws(Problem) -> Principal {
        let principal = try signedInEvenTemporarily()
        guard !principal.mustChangePassword else {
            throw Problem(
                .passwordMustChange,
                detail: "POST /v1/auth/password with the temporary and a new password"
            )
        }
        return principal
    }

    /// Whoever is signed in, also with a temporary password: for changing it, and for leaving.
    func signedInEvenTemporarily() throws(Problem) -> Principal {
        guard let principal else { throw .notSignedIn }
        return principal
    }
}

extension Principal {
    /// Refuses whoever has another role.
    func require(_ askers: Askers) throws(Problem) {
        guard let roles = askers.roles, !roles.contains(role) else { return }
        throw Problem(
            .forbidden,
            detail: "this needs the role \(roles.map(\.rawValue).joined(separator: " or "))",
            facts: ["role": .string(role.rawValue)]
        )
    }
}

extension Problem {
    /// 401 for who has no token.
    static var notSignedIn: Problem {
        .unauthorized("send Authorization: Bearer <token>, or sign in for a cookie")
    }
}
