// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOSSL

/// Writes requests and decodes replies, one request at a time; owned by the event loop.
final class MailConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The longest reply line with its CRLF, in bytes; RFC 5321 §4.5.3.1.5 says 512.
    static let lineBytesMax = 2_048
    /// The most lines of a reply.
    static let linesMax = 100

    private let eventLoop: any EventLoop
    private var context: ChannelHandlerContext?
    /// Set until the peer's certificate is checked for the name.
    private var unchecked: MailTLS?
    /// What came and is not decoded; at most a whole reply of the longest kind.
    private var buffer = ByteBuffer()
    /// The lines of a reply whose last one has not come.
    private var partial: MailReply?
    /// The request that waits, how many replies it wants, and how long it waits for each.
    private var pending: EventLoopPromise<MailOutcome>?
    private var wanted = 0
    private var limit = TimeAmount.zero
    private var timer: Scheduled<Void>?
    /// What the last request has so far; its failure stays for all that follow.
    private var outcome = MailOutcome()

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail("cut the connection")
        self.context = nil
    }

    /// Writes the bytes and waits for the replies; without bytes, for the greeting.
    ///
    /// The limit begins anew at each reply. The future never fails.
    func exchange(
        _ bytes: ByteBuffer,
        replies: Int,
        within limit: TimeAmount
    ) -> EventLoopFuture<MailOutcome> {
        let promise = eventLoop.makePromise(of: MailOutcome.self)
        (pending, wanted, self.limit) = (promise, replies, limit)
        outcome.replies = []
        outcome.isWritten = false
        if bytes.readableBytes > 0, buffer.readableBytes > 0 {
            // A reply to nothing would be taken for the reply to what comes next.
            let code = String(buffer: buffer).prefix(3).filter(\.isNumber)
            outcome.failure = nil
            fail("sent a reply before it was asked (\(code))")
        } else if bytes.readableBytes > 0, outcome.failure == nil, let context {
            let written = eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenSuccess { self.outcome.isWritten = true }
            context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
        }
        startTimer()
        read()
        if outcome.failure != nil { complete() }
        return promise.futureResult
    }

    /// Begins TLS, unless bytes are buffered: the next exchange then tells the failure.
    ///
    /// A reply that came in clear would be believed as if it had come under TLS.
    ///
    /// - Throws: nio-ssl's error when the name is none that a certificate can have.
    func secure(_ tls: MailTLS) throws {
        guard buffer.readableBytes == 0 else {
            buffer.clear()
            fail("sent bytes after its reply to STARTTLS", isOurs: true)
            return
        }
        unchecked = tls
        let handler = try NIOSSLClientHandler(context: tls.context, serverHostname: tls.serverName)
        try context?.pipeline.syncOperations.addHandler(handler, position: .first)
    }

    /// Says goodbye and closes without waiting for the answer.
    func quit() {
        if outcome.failure == nil, let context {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "QUIT\r\n")), promise: nil)
        }
        close()
    }

    /// Closes, after at most 300 ms of TLS goodbye; does not wait.
    func close() { context?.close(promise: nil) }

    /// Ends the conversation; the first failure is the one that is told.
    func fail(_ text: String, isOurs: Bool = false) {
        if outcome.failure == nil { outcome.failure = (text, isOurs) }
        complete()
        close()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let tls = unchecked {
            unchecked = nil
            let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
            guard let certificate, Self.hasName(tls.serverName, certificate) else {
                fail("failed in TLS: \(Self.wrongName)", isOurs: true)
                return
            }
        }
        var bytes = unwrapInboundIn(data)
        buffer.writeBuffer(&bytes)
        buffer.discardReadBytes()
        read()
        if buffer.readableBytes > Self.lineBytesMax * Self.linesMax { fail(Self.notSMTP) }
    }

    /// A failed handshake or certificate is about our settings, all else a lost connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isOurs =
            switch error {
            case NIOSSLError.handshakeFailed(.sslError(let stack)): stack != [.eofDuringHandshake]
            case NIOSSLError.handshakeFailed: false
            case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: true
            default: error is NIOSSLExtraError
            }
        let words = "\(error)"
        let detail =
            if words.contains("CERTIFICATE_VERIFY_FAILED") {
                "its certificate is not trusted, or not valid now"
            } else if words.contains("failedToValidateHostname") {
                Self.wrongName
            } else { String(words.prefix(MailServer.replyTextMax)) }
        fail(isOurs ? "failed in TLS: \(detail)" : "was lost: \(detail)", isOurs: isOurs)
    }

    func channelInactive(context: ChannelHandlerContext) { fail("cut the connection") }

    private static let notSMTP = "sent a reply that is no SMTP"
    private static let wrongName = "its certificate is for another name"

    /// Tells whether the certificate has the name.
    ///
    /// nio-ssl checks it too, but also takes one that has the peer's IP address, whatever the
    /// name: a false answer of DNS would then be enough to pass for the server.
    private static func hasName(_ name: String?, _ certificate: NIOSSLCertificate) -> Bool {
        let names = certificate._subjectAlternativeNames()
        guard var host = name?.lowercased(), names.contains(where: { $0.nameType == .ipAddress })
        else { return true }
        if host.last == "." { host.removeLast() }
        let parent = host.drop { $0 != "." }
        return names.contains { name in
            guard name.nameType == .dnsName else { return false }
            let text = String(decoding: name.contents, as: UTF8.self).lowercased()
            return text == host || (!parent.isEmpty && text == "*\(parent)")
        }
    }

    /// Gives the next reply its time.
    private func startTimer() {
        timer?.cancel()
        guard pending != nil else { return }
        timer = eventLoop.assumeIsolated().scheduleTask(in: limit) {
            self.fail("gave no reply within \(self.limit.nanoseconds / 1_000_000) ms")
        }
    }

    /// Answers the request that waits, if one does.
    private func complete() {
        timer?.cancel()
        pending?.succeed(outcome)
        pending = nil
    }

    /// Decodes replies as long as some are wanted; what is left stays in the buffer.
    ///
    /// After 421 the server says nothing more (RFC 5321 §3.8).
    private func read() {
        while pending != nil {
            let view = buffer.readableBytesView
            let end = view.prefix(Self.lineBytesMax).firstIndex(of: 0x0A)
            guard let end else {
                if view.count >= Self.lineBytesMax { fail(Self.notSMTP) }
                return
            }
            let line = view[..<end]
            let isLast = readLine(line.last == 0x0D ? line.dropLast() : line)
            buffer.moveReaderIndex(to: end + 1)
            guard let isLast, let reply = partial, reply.lines.count <= Self.linesMax else {
                fail(Self.notSMTP)
                return
            }
            guard isLast else { continue }
            partial = nil
            outcome.replies.append(reply)
            if reply.code == 421 {
                fail("said \(reply.text)")
            } else if outcome.replies.count == wanted {
                complete()
            } else {
                startTimer()
            }
        }
    }

    /// Adds one line to the reply; nil if it is no reply line, or of another code than the first.
    private func readLine(_ line: ByteBufferView) -> Bool? {
        let mark = line.dropFirst(3).first
        guard line.count >= 3, line.prefix(3).allSatisfy({ (0x30...0x39).contains($0) }),
            let code = Int(String(decoding: line.prefix(3), as: UTF8.self)),
            (200..<600).contains(code), partial.map({ $0.code == code }) ?? true,
            mark == nil || mark == 0x20 || mark == 0x2D
        else { return nil }
        let text = String(decoding: line.dropFirst(4), as: UTF8.self).unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : Character($0)
        }
        partial = MailReply(code: code, lines: (partial?.lines ?? []) + [String(text)])
        return mark != 0x2D
    }
}

/// What TLS needs.
struct MailTLS: Sendable {
    let context: NIOSSLContext
    /// The DNS name that the certificate must have; nil for the IP address of the peer.
    let serverName: String?
}

/// A reply: its code, and its lines without it.
struct MailReply: Sendable {
    let code: Int
    let lines: [String]
    /// Code and lines in one, at most 200 characters.
    var text: String {
        String("\(code) \(lines.joined(separator: " "))".prefix(MailServer.replyTextMax))
    }
    /// A 2yz.
    var isPositive: Bool { (200..<300).contains(code) }
}

/// What came back for a request: fewer replies than it wanted when there is a failure.
struct MailOutcome: Sendable {
    /// In the order of the commands.
    var replies: [MailReply] = []
    /// What happened, as the rest of a sentence about the server, and if settings are to blame.
    var failure: (text: String, isOurs: Bool)?
    /// Whether all bytes of the request were handed to the connection.
    var isWritten = false
}
