// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird
import NIOCore
import Projections

/// What the desk does about telephones, and the trunks that an administrator names.
struct TelephonyRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/sessions/:id/mute", for: .deskAndAbove, mute),
            Route(.post, "/v1/sessions/:id/messages/:message/send-again", for: .desk, sendAgain),
            Route(.get, "/v1/trunks", for: [.admin], list),
            Route(.put, "/v1/trunks/:id", for: [.admin], set),
        ]
    }

    private struct MuteBody: Decodable {
        let isMuted: Bool
    }

    private func mute(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SessionID = try context.id()
        let command = try await ledger.command(request, context, about: .session(id))
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        let staff = try command.asker.requireStaff()
        let body = try command.decoded(MuteBody.self)
        return try await ledger.answer(
            MuteSession(id, by: staff, isMuted: body.isMuted),
            command
        )
    }

    private struct AttemptBody: Encodable {
        let attempt: Int
    }

    private func sendAgain(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SessionID = try context.id()
        let message: MessageID = try context.id("message")
        let command = try await ledger.command(request, context, about: .session(id))
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        let again = SendReplyAgain(message, in: id, by: try command.asker.requireUser())
        return try await ledger.answer(again, command) { AttemptBody(attempt: $0) }
    }

    // MARK: - Trunks

    private struct TrunkBody: Encodable {
        let id: String
        let name: String
        let host: String
        let isOn: Bool
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try context.signedIn()
        try await ledger.awaitLevel(request, of: "telephony")
        let items = try await ledger.trunks().compactMap { trunk in
            trunk.settings.map {
                TrunkBody(id: trunk.id, name: $0.name, host: $0.host, isOn: $0.isOn)
            }
        }
        return try .json(PageBody(items: items))
    }

    private struct TrunkRequest: Decodable {
        let name: String
        let host: String
        let isOn: Bool
    }

    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: TrunkRequest = try request.decoded()
        let id = context.parameters.get("id") ?? ""
        guard (1...40).contains(id.utf8.count),
            id.utf8.allSatisfy({ Self.letters.contains($0) })
        else {
            throw Problem(
                .malformedRequest,
                detail: "a trunk's id is 1 to 40 small letters, digits and hyphens"
            )
        }
        guard let address = NetworkAddress(body.host) else {
            throw Problem(
                .malformedRequest,
                detail: "host is the IP address that the trunk's requests come from"
            )
        }
        let others = try await ledger.trunks().filter { $0.id != id }
        guard others.count < TelephonyLimits.trunksMax else {
            throw Problem(
                .malformedRequest,
                detail: "there are \(others.count) trunks already; change one of them"
            )
        }
        guard !others.contains(where: { $0.settings?.host == address.text }) else {
            throw Problem(
                .malformedRequest,
                detail: "another trunk has this address; change that one"
            )
        }
        let settings = SIPTrunkSet(name: body.name, host: address.text, isOn: body.isOn)
        return try await ledger.answer(SetTrunk(id, to: settings), request)
    }

    private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
}

extension Ledger {
    /// The trunks that were named, in the order of their ids.
    func trunks() async throws -> [Trunk] {
        try await readModels.telephony.trunks().map { id in
            let name = Subject(unchecked: id).name
            return try handler.current(Trunk.self, String(name))
        }
    }
}

/// Who texts by telephone in a session, and how far the answers have come.
struct TelephoneBody: Encodable {
    /// Absent where it was erased, and so are the next five.
    let from: String?
    let number: String?
    let name: String?
    let address: String?
    let isVerified: Bool
    let trunk: String?
    let transport: SIPMessageReceived.Transport
    let method: String
    let replies: [ReplyBody]

    /// `trunk` is the name of the one that the last message came by.
    init?(_ session: Session, trunk: String?, _ keys: ReadingKeys) throws {
        guard let telephone = session.telephone else { return nil }
        let sender = try telephone.sender.opened(with: keys).value
        from = sender?.uri
        number = sender?.number
        name = sender?.name
        address = sender.map {
            $0.host.contains(":") ? "[\($0.host)]:\($0.port)" : "\($0.host):\($0.port)"
        }
        isVerified = telephone.isVerified
        self.trunk = trunk
        transport = telephone.transport
        method = telephone.method.rawValue.uppercased()
        replies = telephone.replies.map(ReplyBody.init).sorted {
            $0.message.description < $1.message.description
        }
    }

    /// An answer to the telephone.
    struct ReplyBody: Encodable {
        let message: MessageID
        let attempt: Int
        let state: State
        /// The telephone's answer to a message that failed; absent where none came, 0 where nothing could be sent.
        let status: Int?
        let at: Timestamp

        /// How far it has come.
        enum State: String, Encodable {
            case queued
            case delivered
            case failed
        }

        init(_ message: MessageID, _ reply: Telephone.Reply) {
            self.message = message
            attempt = reply.attempt
            at = reply.at
            switch reply.state {
            case .queued, .sent: (state, status) = (.queued, nil)
            case .delivered: (state, status) = (.delivered, nil)
            case .failed(let answer): (state, status) = (.failed, answer)
            }
        }
    }
}
