// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Logging
import Media
import Projections
import SIP
import Synchronization
import Threads

/// Answers what telephones ask: decides who may send, and hands what they say to the log.
///
/// A registered phone sends to its token, anybody to the site's service address, within limits. A number is believed where the
/// token or a named trunk says it, else it is told as unverified.
struct TelephonyDoor: Sendable {
    let ledger: Ledger
    let trunks: TrunkBook
    let rates = ClientRates(
        TelephonyLimits.messagesOfSender,
        capacity: TelephonyLimits.sendersRemembered
    )
    let strangers = ClientRates(
        TelephonyLimits.strangersOfAddress,
        capacity: TelephonyLimits.sendersRemembered
    )
    let callers = RememberedCallers()

    init(ledger: Ledger, trunks: TrunkBook) {
        (self.ledger, self.trunks) = (ledger, trunks)
    }

    static let methods = "MESSAGE, OPTIONS, REGISTER, INVITE, ACK, CANCEL, BYE"

    /// Answers one request, which is not answered again.
    func answer(_ context: SIPRequestContext) async -> SIPResponse {
        do {
            return try await handle(context)
        } catch let status as Refused {
            return context.response(status.status, reason: status.reason, fields: status.fields)
        } catch {
            return fault(error, context)
        }
    }

    private func handle(_ context: SIPRequestContext) async throws -> SIPResponse {
        switch context.request.method {
        case .message: return try await message(context)
        case .options: return context.response(200, fields: Self.abilities)
        case .register: return try await register(context)
        case .invite: return try await invite(context)
        case .bye: throw Refused(481)
        default: throw Refused(405, fields: [HeaderField("Allow", Self.methods)])
        }
    }

    private static let abilities: HeaderFields = [
        HeaderField("Allow", methods), HeaderField("Accept", TelephonyContent.types),
    ]

    // MARK: - Requests

    private func message(_ context: SIPRequestContext) async throws -> SIPResponse {
        let sender = try await sender(context)
        let content = try content(context.request)
        if !content.isEmpty { try await take(content, of: sender, .message, context) }
        return context.response(200, fields: Self.remarks(on: content))
    }

    /// A call is not taken yet; the place in it is, for that may be all that a caller could send.
    private func invite(_ context: SIPRequestContext) async throws -> SIPResponse {
        let sender = try await sender(context)
        var fields = Self.abilities
        fields.append(HeaderField("Warning", "304 daybook \"text by MESSAGE only\""))
        if let content = try? content(context.request), content.place != nil {
            try await take(content, of: sender, .invite, context)
            fields = HeaderFields(fields.all + Self.remarks(on: content).all)
        }
        return context.response(488, fields: fields)
    }

    /// A registered phone is known anyway: its answers go where its last message came from.
    private func register(_ context: SIPRequestContext) async throws -> SIPResponse {
        guard case .sip(let uri) = context.envelope.to.uri, let token = uri.user else {
            throw Refused(404)
        }
        _ = try await device(token, context)
        var fields = Self.abilities
        for line in context.request.fields.lines("Contact") {
            fields.append(HeaderField("Contact", line))
        }
        return context.response(200, fields: fields)
    }

    private func content(_ request: SIPRequest) throws -> TelephonyContent {
        do throws(TelephonyContent.Fault) {
            return try TelephonyContent(request)
        } catch {
            switch error {
            case .type: throw Refused(415, fields: [HeaderField("Accept", TelephonyContent.types)])
            case .tooLarge: throw Refused(413)
            case .unreadable(let why): throw Refused(400, reason: why)
            }
        }
    }

    private static func remarks(on content: TelephonyContent) -> HeaderFields {
        guard case .unreadable? = content.place else { return [] }
        return [HeaderField("Geolocation-Error", "100 \"Cannot Process Location\"")]
    }

    // MARK: - Taking

    private func take(
        _ content: TelephonyContent,
        of known: Known,
        _ method: SIPMessageReceived.Method,
        _ context: SIPRequestContext
    ) async throws {
        let temporaryID = Self.temporaryID(of: context)
        try await makeRoom(for: known, context)
        try ledger.keys.create(known.person)
        let kept = context.request.bytes.prefix(TelephonyLimits.rawBytesMax)
        let raw = try await hold(SenderText.withoutTokens(Array(kept)), known)
        var words = TakeTelephoneMessage.Content(text: content.text)
        words.place = content.place
        var held = [raw.digest]
        for picture in content.pictures {
            let blob = try await hold(picture.bytes, known)
            held.append(blob.digest)
            words.pictures.append(
                SendPicture.Picture(
                    blob: blob.digest,
                    bytes: blob.bytes,
                    mediaType: ChatAttachmentAdded.MediaType(picture.file.format),
                    width: picture.file.width,
                    height: picture.file.height
                )
            )
        }
        let request = TakeTelephoneMessage.Request(
            from: known.sender,
            isVerified: known.isVerified,
            trunk: known.trunk,
            transport: SIPMessageReceived.Transport(context.peer.transport),
            method: method,
            sequence: Int(context.envelope.cseq.number),
            raw: raw.digest,
            rawBytes: raw.bytes,
            temporaryID: temporaryID
        )
        let command = TakeTelephoneMessage(
            from: known.person,
            phone: known.phone,
            device: known.device,
            request,
            words
        )
        try await record(command, known, temporaryID, held)
    }

    /// Hands the message to the log, and settles its files: those of a repetition are named by nothing.
    private func record(
        _ command: TakeTelephoneMessage,
        _ known: Known,
        _ temporaryID: String,
        _ held: [SHA256Digest]
    ) async throws {
        var isRecorded = false
        do {
            let context = ledger.context(
                actor: known.actor,
                organisation: known.organisation,
                command: CommandID(unchecked: "sip~\(temporaryID)")
            )
            let answer = try await ledger.handler.handle(command, context)
            isRecorded = answer.receipt.map { !$0.repeated } ?? false
        } catch {
            if PictureRoutes.isCertainlyUnwritten(error) {
                for digest in held { try await ledger.blobs.drop(digest) }
            }
            throw error
        }
        for digest in held {
            if isRecorded {
                try await ledger.blobs.settle(digest)
            } else {
                try await ledger.blobs.drop(digest)
            }
        }
        ledger.oweIfErased(known.person)
    }

    private func hold(_ bytes: [UInt8], _ known: Known) async throws -> BlobFolder.Blob {
        try await ledger.holdPicture(bytes, for: known.person)
    }

    /// The same for the same request, however often it comes (RFC 3261 §8.2.2.2); another for other words under the same names.
    private static func temporaryID(of context: SIPRequestContext) -> String {
        let envelope = context.envelope
        let words = [
            envelope.callID, envelope.from.tag ?? "", envelope.cseq.description,
            SHA256Digest(of: context.request.body).text,
        ]
        let digest = SHA256Digest(of: Array(words.joined(separator: "\n").utf8))
        return String(digest.text.prefix(32))
    }

    // MARK: - Faults

    private func fault(_ error: any Error, _ context: SIPRequestContext) -> SIPResponse {
        let problem = ProblemTable.problem(for: error)
        if problem.isFault {
            ledger.logger.error("a text was not taken", metadata: ["error": "\(error)"])
        }
        let status = problem.type.status.code
        switch status {
        case 400..<500: return context.response(status == 422 ? 400 : status)
        default: return context.response(503, fields: [HeaderField("Retry-After", "5")])
        }
    }

    /// A request that is answered with something else than 200.
    struct Refused: Error {
        let status: Int
        let reason: String?
        let fields: HeaderFields

        init(_ status: Int, reason: String? = nil, fields: HeaderFields = []) {
            (self.status, self.reason, self.fields) = (status, reason, fields)
        }
    }
}

extension Actor {
    /// Whoever texts by telephone without being registered.
    static func telephone(_ person: PersonID) -> Actor { Actor(unchecked: "telephone/\(person)") }
}

extension SIPMessageReceived.Transport {
    init(_ transport: SIPTransport) {
        switch transport {
        case .udp: self = .udp
        case .tcp: self = .tcp
        case .tls: self = .tls
        }
    }
}
