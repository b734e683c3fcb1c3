// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A mail server that takes our mail (RFC 5321): where it is, how it is secured, how we log in.
///
/// Each call of ``send(_:to:)`` makes one connection. Nothing is kept between calls.
struct MailServer: Sendable {
    /// How the connection is secured; there is no "if offered".
    typealias Security = SenderSettings.Security

    /// The server's DNS name, which its certificate must have, or its IP address.
    var host: String
    /// As a rule 25, 587 (submission, STARTTLS) or 465 (submission, TLS).
    var port: Int
    /// How the connection is secured.
    var security: Security
    /// The account, if the server wants one; sent under TLS only, or to this machine.
    var login: (user: String, password: String)?
    /// A PEM file of the certificates to trust; nil for the system's.
    var trustRoots: String?
    /// Our own DNS name, as EHLO tells it: printable ASCII without blanks.
    var helloName: String
    /// How long to wait for the connection, and for each reply but the last.
    var replyTimeLimit = Duration.seconds(30)
    /// How long sending the content and the reply to it may take.
    var dataTimeLimit = Duration.seconds(120)

    /// The most recipients of one message (RFC 5321 §4.5.3.1.8); those past it get `later`.
    static let recipientsMax = 100
    /// The longest receipt, and the longest part of a reply that is told, in characters.
    static let replyTextMax = 200

    /// Sends one message.
    ///
    /// Each call with TLS reads the certificates to trust, on a thread of NIO's pool: some 30 ms
    /// for the system's. The message has no limit of size here but the server's own (SIZE).
    ///
    /// - Parameters:
    ///   - message: The message, the same for each recipient.
    ///   - recipients: The addresses of the envelope; an address named twice gets it once.
    /// - Returns: An answer for each address in `recipients`, and for no other.
    /// - Throws: `CancellationError` when the task is cancelled and the last byte was not out: the
    ///   message was not sent. After that a cancelled call returns, with `unknown` if the server
    ///   had not replied. The connection is closed at once in both cases.
    func send(
        _ message: MailMessage,
        to recipients: [String]
    ) async throws(CancellationError) -> [String: DeliveryAnswer] {
        var answers: [String: DeliveryAnswer] = [:]
        for recipient in recipients where !MailAddress.isUsable(recipient) {
            answers[recipient] = .refused("not a usable mail address")
        }
        let usable = Set(recipients).subtracting(answers.keys).sorted()
        for recipient in usable.dropFirst(Self.recipientsMax) {
            answers[recipient] = .later("over \(Self.recipientsMax) recipients at once")
        }
        let addressed = Array(usable.prefix(Self.recipientsMax))
        guard !addressed.isEmpty else { return answers }
        do throws(MailEnding) {
            let given = try await deliver(message, to: addressed)
            answers.merge(given) { $1 }
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            for recipient in addressed { answers[recipient] = error.answer }
        }
        return answers
    }

    /// Makes the connection, holds the conversation, and closes; a cancelled task closes at once.
    private func deliver(
        _ message: MailMessage,
        to recipients: [String]
    ) async throws(MailEnding) -> [String: DeliveryAnswer] {
        try checkSettings(message)
        let tls = try await loadTLS()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let opened = loop.makePromise(of: NIOLoopBound<MailConnection>.self)
        let connecting = connect(tls, on: loop)
        connecting.cascade(to: opened)
        connecting.whenSuccess { connection in
            // Cancelled while connecting: the promise had failed before the connection came.
            opened.futureResult.whenFailure { _ in connection.value.close() }
        }
        let result = await withTaskCancellationHandler {
            () async -> Result<[String: DeliveryAnswer], MailEnding> in
            let connection: NIOLoopBound<MailConnection>
            do { connection = try await opened.futureResult.get() } catch {
                return .failure(MailEnding(.later("\(host):\(port): no connection: \(error)")))
            }
            defer { loop.execute { connection.value.quit() } }
            var session = MailSession(server: self, connection: connection, loop: loop)
            do throws(MailEnding) {
                try await session.open(tls)
                return .success(try await session.deliver(message, to: recipients))
            } catch { return .failure(error) }
        } onCancel: {
            opened.fail(CancellationError())
            opened.futureResult.whenSuccess { $0.value.fail("cancelled") }
        }
        return try result.get()
    }

    /// The host if it is an IP address, in its usual spelling.
    private var ipAddress: String? { try? SocketAddress(ipAddress: host, port: port).ipAddress }

    /// Finds what would fail at every server.
    private func checkSettings(_ message: MailMessage) throws(MailEnding) {
        let ip = ipAddress ?? ""
        let isLoopback = host == "localhost" || ip == "::1" || ip.hasPrefix("127.")
        let fault: String? =
            if !MailAddress.isUsable(message.from) {
                "the sender is not a usable mail address"
            } else if helloName.isEmpty
                || !helloName.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            {
                "the name for EHLO has characters that no host name has"
            } else if login != nil, security == .none, !isLoopback {
                "a login is sent under TLS only: choose starttls or tls"
            } else if let login, (login.user + login.password).utf8.contains(0) {
                "user and password cannot have a NUL"
            } else { nil }
        if let fault { throw MailEnding(.misconfigured(fault)) }
        guard MailAddress.isUsable(message.to) else {
            throw MailEnding(.refused("the address in To is not usable"))
        }
    }

    /// Reads the certificates to trust; nil without TLS.
    private func loadTLS() async throws(MailEnding) -> MailTLS? {
        guard security != .none else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // The peer's close_notify says nothing that QUIT did not; nio-ssl would wait 5 s.
        configuration.shutdownTimeout = .milliseconds(300)
        if let trustRoots { configuration.trustRoots = .file(trustRoots) }
        do {
            let context = try await NIOThreadPool.singleton.runIfActive { [configuration] in
                try NIOSSLContext(configuration: configuration)
            }
            return MailTLS(context: context, serverName: ipAddress == nil ? host : nil)
        } catch { throw MailEnding(.misconfigured("the certificates to trust: \(error)")) }
    }

    /// Connects; a TLS handshake goes on while the greeting is awaited.
    private func connect(
        _ tls: MailTLS?,
        on loop: any EventLoop
    ) -> EventLoopFuture<NIOLoopBound<MailConnection>> {
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(replyTimeLimit))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = MailConnection(eventLoop: channel.eventLoop)
                    try channel.pipeline.syncOperations.addHandler(connection)
                    if security == .tls, let tls { try connection.secure(tls) }
                }
            }
            .connect(host: host, port: port)
            .flatMapThrowing { channel in
                let connection = try channel.pipeline.syncOperations.handler(
                    type: MailConnection.self
                )
                return NIOLoopBound(connection, eventLoop: channel.eventLoop)
            }
    }
}

/// The end of a call with one answer for all recipients.
private struct MailEnding: Error {
    let answer: DeliveryAnswer
    init(_ answer: DeliveryAnswer) { self.answer = answer }
}

/// The conversation on one connection, from the greeting to the reply to the content.
private struct MailSession {
    let server: MailServer
    let connection: NIOLoopBound<MailConnection>
    let loop: any EventLoop
    /// What EHLO offered: keyword in capitals, then its parameters.
    private var offers: [String: [String]] = [:]

    init(server: MailServer, connection: NIOLoopBound<MailConnection>, loop: any EventLoop) {
        self.server = server
        self.connection = connection
        self.loop = loop
    }

    private var peer: String { "\(server.host):\(server.port)" }

    /// Greeting, EHLO, STARTTLS, login.
    ///
    /// A 5yz here is about us, not about a message or a recipient: `misconfigured`.
    mutating func open(_ tls: MailTLS?) async throws(MailEnding) {
        try await expect(2, nil)
        try await hello()
        if server.security == .startTLS, let tls {
            guard offers["STARTTLS"] != nil else {
                throw MailEnding(.misconfigured("\(peer) does not offer STARTTLS"))
            }
            try await expect(2, "STARTTLS")
            do {
                try await loop.submit { [connection] in try connection.value.secure(tls) }.get()
            } catch {
                throw MailEnding(.misconfigured("\(peer): TLS did not begin: \(error)"))
            }
            try await hello()
        }
        if let login = server.login { try await authenticate(login.user, login.password) }
    }

    /// Says EHLO, and forgets what was offered before (RFC 3207 §4.2).
    private mutating func hello() async throws(MailEnding) {
        let reply = try await expect(2, "EHLO \(server.helloName)")
        offers = [:]
        for line in reply.lines.dropFirst() {
            let words = line.uppercased().split(separator: " ").map(String.init)
            if let keyword = words.first { offers[keyword] = Array(words.dropFirst()) }
        }
    }

    /// Logs in by PLAIN (RFC 4616), or by LOGIN where PLAIN is not offered.
    private func authenticate(_ user: String, _ password: String) async throws(MailEnding) {
        let mechanisms = offers["AUTH"] ?? []
        if mechanisms.contains("PLAIN") {
            try await expect(2, "AUTH PLAIN \(base64("\0\(user)\0\(password)"))", isSecret: true)
        } else if mechanisms.contains("LOGIN") {
            try await expect(3, "AUTH LOGIN", isSecret: true)
            try await expect(3, base64(user), isSecret: true)
            try await expect(2, base64(password), isSecret: true)
        } else {
            throw MailEnding(.misconfigured("\(peer) offers neither AUTH PLAIN nor AUTH LOGIN"))
        }
    }

    private func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString()
    }

    /// Sends one command, and wants a reply whose code begins with the digit.
    ///
    /// A reply to a secret is told by its code alone: a server may repeat what it did not like.
    @discardableResult
    private func expect(
        _ digit: Int,
        _ command: String?,
        isSecret: Bool = false
    ) async throws(MailEnding) -> MailReply {
        let outcome = await exchange(command.map { [$0] } ?? [])
        guard let reply = outcome.replies.first else { throw MailEnding(failure(outcome)) }
        guard reply.code / 100 != digit else { return reply }
        let text = isSecret ? "answered the login with \(reply.code)" : "said \(reply.text)"
        let isOurs = reply.code / 100 == 5
        throw MailEnding(isOurs ? .misconfigured("\(peer) \(text)") : .later("\(peer) \(text)"))
    }

    /// Sends commands and waits for a reply to each; with none, for the greeting.
    private func exchange(_ commands: [String]) async -> MailOutcome {
        let bytes = ByteBuffer(string: commands.map { $0 + "\r\n" }.joined())
        return await exchange(bytes, replies: max(1, commands.count), server.replyTimeLimit)
    }

    /// Sends bytes and waits for replies, each within the limit.
    private func exchange(
        _ bytes: ByteBuffer,
        replies: Int,
        _ limit: Duration
    ) async -> MailOutcome {
        let asked = loop.flatSubmit { [connection] in
            connection.value.exchange(bytes, replies: replies, within: TimeAmount(limit))
        }
        do { return try await asked.get() } catch { return MailOutcome() }
    }

    /// What a failure before the last byte means.
    private func failure(_ outcome: MailOutcome) -> DeliveryAnswer {
        let text = "\(peer) \(outcome.failure?.text ?? "was lost")"
        return outcome.failure?.isOurs == true ? .misconfigured(text) : .later(text)
    }

    /// What a reply to a command about the message means; nil for yes.
    private func refusal(_ reply: MailReply) -> DeliveryAnswer? {
        let text = "\(peer) said \(reply.text)"
        return switch reply.code {
        case 200..<300: nil
        case 530, 534, 535, 538: .misconfigured(text)
        case 500..<600: .refused(text)
        default: .later(text)
        }
    }

    /// Envelope and content; each recipient is judged by its own reply.
    func deliver(
        _ message: MailMessage,
        to recipients: [String]
    ) async throws(MailEnding) -> [String: DeliveryAnswer] {
        let content = message.bytes()
        if let most = offers["SIZE"]?.first.flatMap(Int.init), most > 0, content.count > most {
            throw MailEnding(.refused("\(peer) takes at most \(most) bytes, not \(content.count)"))
        }
        var answers: [String: DeliveryAnswer] = [:]
        let hasUTF8 = offers["SMTPUTF8"] != nil
        for recipient in recipients where !hasUTF8 {
            if message.needsSMTPUTF8 || MailAddress.needsSMTPUTF8(recipient) {
                answers[recipient] = .refused("\(peer) takes no address outside ASCII (SMTPUTF8)")
            }
        }
        let addressed = recipients.filter { answers[$0] == nil }
        guard !addressed.isEmpty else { return answers }
        var command = "MAIL FROM:<\(message.from)>"
        if offers["SIZE"] != nil { command += " SIZE=\(content.count)" }
        if message.needsSMTPUTF8 || addressed.contains(where: MailAddress.needsSMTPUTF8) {
            command += " SMTPUTF8"
        }
        let envelope = await exchangeEnvelope(command, addressed)
        if Task.isCancelled { throw MailEnding(.later("cancelled")) }
        guard let first = envelope.replies.first else { throw MailEnding(failure(envelope)) }
        if let refusal = refusal(first) { throw MailEnding(refusal) }
        for (recipient, reply) in zip(addressed, envelope.replies.dropFirst()) {
            answers[recipient] = refusal(reply)
        }
        let accepted = addressed.filter { answers[$0] == nil }
        guard !accepted.isEmpty else { return answers }
        let answer =
            if envelope.failure == nil { try await deliver(content) } else { failure(envelope) }
        for recipient in accepted { answers[recipient] = answer }
        return answers
    }

    /// MAIL and all RCPT, at once if the server can (RFC 2920).
    private func exchangeEnvelope(_ mail: String, _ recipients: [String]) async -> MailOutcome {
        let commands = [mail] + recipients.map { "RCPT TO:<\($0)>" }
        guard offers["PIPELINING"] == nil else { return await exchange(commands) }
        var whole = MailOutcome()
        for command in commands {
            let outcome = await exchange([command])
            whole.replies += outcome.replies
            whole.failure = outcome.failure
            if outcome.failure != nil || whole.replies.first?.isPositive != true { break }
        }
        return whole
    }

    /// DATA, the content with its dots doubled (RFC 5321 §4.5.2), and the final dot.
    private func deliver(_ content: [UInt8]) async throws(MailEnding) -> DeliveryAnswer {
        let ready = await exchange(["DATA"])
        if Task.isCancelled { throw MailEnding(.later("cancelled")) }
        guard let reply = ready.replies.first else { return failure(ready) }
        guard reply.code == 354 else {
            return refusal(reply) ?? .later("\(peer) answered DATA with \(reply.text)")
        }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(content.count + 1_024)
        var last: UInt8 = 0x0A
        for byte in content {
            if byte == 0x2E, last == 0x0A { bytes.writeInteger(byte) }
            bytes.writeInteger(byte)
            last = byte
        }
        bytes.writeString(".\r\n")
        let outcome = await exchange(bytes, replies: 1, server.dataTimeLimit)
        if let reply = outcome.replies.first {
            // A yes before the last byte was out is not about this content.
            guard (400..<600).contains(reply.code) || reply.isPositive && outcome.isWritten else {
                return .unknown("\(peer) answered the content with \(reply.text)")
            }
            return refusal(reply) ?? .sent(receipt: reply.text)
        }
        if outcome.isWritten {
            return .unknown("\(peer) \(outcome.failure?.text ?? "was lost") after the content")
        }
        if Task.isCancelled { throw MailEnding(.later("cancelled")) }
        return failure(outcome)
    }
}
