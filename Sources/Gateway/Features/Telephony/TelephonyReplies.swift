// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Projections
import SIP
import Synchronization

/// Sends what the centre answers to callers' telephones, and records each attempt and its end.
///
/// An attempt is on disk before the telephone hears of it. One that a crash left without an end counts as failed, and is made again
/// only when an operator asks.
struct TelephonyReplies: Sendable {
    let ledger: Ledger
    let endpoint: SIPEndpoint
    private let underWay = UnderWay()

    init(ledger: Ledger, endpoint: SIPEndpoint) {
        (self.ledger, self.endpoint) = (ledger, endpoint)
    }

    private struct Errand: Sendable {
        let session: SessionID
        let message: MessageID
        let reply: Telephone.Reply
    }

    /// Looks and sends until the gateway stops.
    func run() async {
        await LookLoop.run(ledger, at: [.category("session")]) {
            await look()
        } run: {
            await send($0)
        }
    }

    private func look() async -> [Errand] {
        do {
            if let last = ledger.log.size.checkedPrevious {
                try await ledger.readModels.runner.wait(for: last, on: "telephony")
            }
            var errands: [Errand] = []
            for row in try await ledger.readModels.telephony.openReplies() {
                guard !underWay.has(row.message) else { continue }
                let found = try await ledger.unlessDamaged { try await errand(row) }
                guard let errand = found ?? nil, underWay.begin(row.message) else { continue }
                errands.append(errand)
            }
            ledger.standings.recover(TelephonyService.name)
            return errands
        } catch {
            report(error)
            return []
        }
    }

    /// What a row names, if the log has it so.
    private func errand(_ row: TelephoneReply) async throws -> Errand? {
        let session = try await ledger.handler.settled(Session.self, row.session)
        guard let reply = session.telephone?.replies[row.message], reply.attempt == row.attempt
        else { return nil }
        let errand = Errand(session: row.session, message: row.message, reply: reply)
        switch reply.state {
        case .queued where ledger.now < reply.at + TelephonyLimits.replyAge:
            return errand
        case .queued: try await end(errand, .answered(status: 0))
        case .sent: try await end(errand, timedOut)
        case .delivered, .failed: break
        }
        return nil
    }

    // MARK: - Sending

    private func send(_ errand: Errand) async {
        defer { underWay.end(errand.message) }
        do {
            let session = try await ledger.handler.settled(Session.self, errand.session)
            guard let telephone = session.telephone, let contact = session.contact,
                let request = try await request(errand, telephone, session)
            else { return try await end(errand, .answered(status: 0)) }
            let blob = try await ledger.holdPicture(request.bytes, for: contact.caller)
            let sent = RecordReply.Step.sent(
                telephone.transport,
                raw: blob.digest,
                bytes: blob.bytes
            )
            try await end(errand, sent)
            try await ledger.blobs.settle(blob.digest)
            ledger.oweIfErased(contact.caller)
            try await end(errand, try await attempt(request, telephone))
        } catch {
            report(error)
        }
    }

    /// The way back is the address that the last message came from; a connection that has ended is made again there.
    private func attempt(
        _ request: SIPRequest,
        _ telephone: Telephone
    ) async throws -> RecordReply.Step {
        let keys = ledger.keys.unrecorded(.delivered)
        guard let sender = try telephone.sender.opened(with: keys).value else {
            return .answered(status: 0)
        }
        let transport = SIPTransport(telephone.transport)
        var peers = [SIPPeer(transport, host: sender.host, port: sender.port)]
        if transport == .udp {
            // What is too long for a datagram goes by a connection to where the telephone listens.
            peers.append(SIPPeer(.tcp, host: sender.host, port: Self.port(of: sender)))
        } else {
            peers.append(SIPPeer(transport, host: sender.host, port: Self.port(of: sender)))
        }
        for peer in peers {
            do throws(any Error) {
                let response = try await endpoint.send(
                    request,
                    to: peer,
                    within: TelephonyLimits.answerWait
                )
                return .answered(status: response.status)
            } catch let error as SIPEndpoint.SendError {
                switch error {
                case .noAnswer: return timedOut
                case .tooLongForDatagram, .unreachable, .connectionEnded: continue
                case .malformed, .full, .closed: return .answered(status: 0)
                }
            }
        }
        return .answered(status: 0)
    }

    private var timedOut: RecordReply.Step {
        .timedOut(milliseconds: Int(TelephonyLimits.answerWait / .milliseconds(1)))
    }

    /// Where a telephone says that it listens, at the address that it sent from: nobody makes us connect elsewhere.
    private static func port(of sender: SIPSender) -> Int {
        guard case .sip(let uri)? = try? URI.parse(sender.answersTo) else { return 5060 }
        return uri.port ?? 5060
    }

    /// The message as a request; `nil` where it, or whom it goes to, was erased.
    private func request(
        _ errand: Errand,
        _ telephone: Telephone,
        _ session: Session
    ) async throws -> SIPRequest? {
        let keys = ledger.keys.unrecorded(.delivered)
        guard let sender = try telephone.sender.opened(with: keys).value,
            let content = try await content(of: errand.message, session, keys)
        else { return nil }
        let uri = try URI.parse(sender.answersTo)
        let own = SIPURI(user: "sos", host: String(ledger.identity.origin.prefix { $0 != "/" }))
        let from = NameAddress(.sip(own), parameters: [SIPParameter("tag", "\(errand.message)")])
        let attempt = errand.reply.attempt
        return SIPRequest(
            .message,
            uri,
            fields: [
                HeaderField("From", from.description),
                HeaderField("To", NameAddress(uri).description),
                HeaderField("Call-ID", "\(errand.message).\(attempt)"),
                HeaderField("CSeq", CSeq(UInt32(attempt), .message).description),
                HeaderField("Content-Type", content.type),
            ],
            body: content.bytes
        )
    }

    private func content(
        of message: MessageID,
        _ session: Session,
        _ keys: ReadingKeys
    ) async throws -> (type: String, bytes: [UInt8])? {
        guard let place = session.chat[message]?.place,
            let entry = try ledger.log.entry(at: place.position)
        else { return nil }
        switch try EventDecoder().decode(entry).fact {
        case .chat(.messageSent(let sent)):
            return try sent.text.opened(with: keys).value
                .map { ("text/plain;charset=UTF-8", Array($0.utf8)) }
        case .chat(.attachmentAdded(let added)):
            return try await ledger.blobs.open(added.blob, of: added.person)
                .map { (added.mediaType.rawValue, $0) }
        default: return nil
        }
    }

    // MARK: - Ends

    private func end(_ errand: Errand, _ step: RecordReply.Step) async throws {
        let attempt = errand.reply.attempt
        let name =
            switch step {
            case .sent: "sent"
            case .answered, .timedOut: "end"
            }
        try await ledger.handle(
            RecordReply(errand.message, in: errand.session, attempt: attempt, step),
            of: TelephonyService.name,
            because: errand.reply.cause,
            step: name
        )
    }

    /// A fault must not end the gateway: the rows are looked at again.
    private func report(_ error: any Error) {
        guard !(error is CancellationError), !ledger.log.isClosed else { return }
        switch error {
        case is ReadModelError:
            ledger.logger.debug("answers by telephone wait", metadata: ["reason": "\(error)"])
        default:
            guard ledger.standings.fail(TelephonyService.name, Fault(error)) else { return }
            ledger.logger.error("an answer could not go on", metadata: ["error": "\(error)"])
        }
    }
}

/// Which messages this process is sending: no more at once than the limit.
private final class UnderWay: Sendable {
    private let messages = Mutex<Set<MessageID>>([])

    func has(_ message: MessageID) -> Bool { messages.withLock { $0.contains(message) } }

    func begin(_ message: MessageID) -> Bool {
        messages.withLock { messages in
            guard messages.count < TelephonyLimits.repliesAtOnce else { return false }
            return messages.insert(message).inserted
        }
    }

    func end(_ message: MessageID) { _ = messages.withLock { $0.remove(message) } }
}

extension SIPTransport {
    init(_ transport: SIPMessageReceived.Transport) {
        switch transport {
        case .udp: self = .udp
        case .tcp: self = .tcp
        case .tls: self = .tls
        }
    }
}
