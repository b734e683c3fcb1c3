// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import NIOCore
import Projections

/// Channels: in them the members of a team write to each other, and show what a camera saw.
struct ChannelRoutes: Sendable {
    let ledger: Ledger
    let answers: FootageAnswers

    private static let model = "channels"
    /// A hole between pictures is no longer; see `CameraMinuteArchived`.
    private static let stillAge = Duration.seconds(2)

    var routes: [Route] {
        let staff = CameraSight.staff
        let messages: RouterPath = "/v1/channels/:id/messages"
        return [
            Route(.get, "/v1/channels", for: staff, list),
            Route(.put, "/v1/channels/:id", for: .managers, set),
            Route(.get, messages, for: staff, reads: "channel", show),
            Route(.post, messages, for: staff, send),
            Route(
                .get,
                "/v1/channels/:id/messages/:number/still",
                for: staff,
                reads: "channel-still",
                still
            ),
            Route(.post, "/v1/channels/:id/read", for: staff, read),
        ]
    }

    // MARK: - Channels

    private struct ChannelBody: Encodable {
        let id: ChannelID
        let name: String
        let site: String?
        let members: [Role]
        let isOpen: Bool
        let isMember: Bool
        let count: Int
        /// The number of the newest message that the asker has read.
        let read: Int
        let unread: Int
        let lastAt: Timestamp?
        let readers: [ReaderBody]
    }

    private struct ReaderBody: Encodable {
        let user: UserID
        let name: String?
        let through: Int
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let asker = try context.signedIn()
        try await ledger.awaitLevel(request, of: Self.model)
        let manages = Askers.managers.roles?.contains(asker.role) ?? false
        var items: [ChannelBody] = []
        for id in try await ledger.readModels.channels.channels(in: asker.scope) {
            let channel = try await ledger.handler.settled(TeamChannel.self, id)
            let isMember = channel.hasMember(asker.role, of: asker.organisation)
            guard let settings = channel.settings, isMember || manages else { continue }
            let read = asker.user.flatMap { channel.read[$0] } ?? 0
            items.append(
                ChannelBody(
                    id: id,
                    name: settings.name,
                    site: settings.site,
                    members: settings.members,
                    isOpen: settings.isOpen,
                    isMember: isMember,
                    count: channel.count,
                    read: read,
                    unread: isMember ? channel.count - read : 0,
                    lastAt: channel.newestAt,
                    readers: isMember ? try readers(of: channel) : []
                )
            )
        }
        return try .json(PageBody(items: items))
    }

    private func readers(of channel: TeamChannel) throws -> [ReaderBody] {
        try channel.read.sorted { "\($0.key)" < "\($1.key)" }.map {
            ReaderBody(user: $0.key, name: try name(of: $0.key), through: $0.value)
        }
    }

    private func name(of user: UserID) throws -> String? {
        try ledger.handler.current(User.self, user).account?.name?
            .opened(with: ledger.keys.unrecorded(.colleague)).value
    }

    private struct ChannelRequest: Decodable {
        let name: String
        let site: String?
        let members: [Role]
        let isOpen: Bool
    }

    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let channel: ChannelID = try context.id()
        let command = try await ledger.command(request, context)
        let body: ChannelRequest = try command.decoded()
        let settings = ChannelSet(
            name: body.name,
            site: body.site,
            members: body.members,
            isOpen: body.isOpen
        )
        return try await ledger.answer(SetChannel(channel, to: settings), command)
    }

    // MARK: - Messages

    private struct MessageBody: Encodable {
        let number: Int
        let at: Timestamp
        let by: AuthorBody
        let isOwn: Bool
        /// Absent in a moment without words, and where it was erased.
        let text: String?
        let isErased: Bool
        let moment: MomentBody?
        let hasStill: Bool
    }

    private struct AuthorBody: Encodable {
        let user: UserID
        let name: String?
    }

    private struct MomentBody: Encodable {
        let camera: CameraID
        let name: String
        let at: Timestamp
    }

    /// The channel of the path, for one of its members.
    ///
    /// - Throws: 404 for everybody else.
    private func channel(_ context: GatewayContext) async throws -> TeamChannel {
        let id: ChannelID = try context.id()
        let asker = try context.signedIn()
        let channel = try await ledger.handler.settled(TeamChannel.self, id)
        guard channel.hasMember(asker.role, of: asker.organisation) else {
            throw ChannelRefusal.notMember(id)
        }
        return channel
    }

    private func message(at position: LogPosition) throws -> (Envelope, ChannelMessageSent)? {
        guard let entry = try ledger.log.entry(at: position),
            case .channel(.messageSent(let sent)) = try EventDecoder().decode(entry).fact
        else { return nil }
        return (entry.envelope, sent)
    }

    private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let channel = try await channel(context)
        let asker = try context.signedIn()
        try await ledger.awaitLevel(request, of: Self.model)
        let keys = try await ledger.keys(toRead: .channel(channel.id), context, fields: ["text"])
        let positions = try await ledger.readModels.channels.messages(
            of: channel.id,
            before: try request.number("before", in: 1...Int.max),
            limit: try request.number("limit", default: 50, in: 1...100)
        )
        let items = try positions.compactMap { position -> MessageBody? in
            guard let (envelope, sent) = try message(at: position) else { return nil }
            let text = try sent.text?.opened(with: keys)
            return MessageBody(
                number: sent.number,
                at: envelope.time,
                by: AuthorBody(user: sent.author, name: try name(of: sent.author)),
                isOwn: sent.author == asker.user,
                text: text?.value,
                isErased: text != nil && text?.value == nil,
                moment: sent.moment.map { MomentBody(camera: $0.camera, name: $0.name, at: $0.at) },
                hasStill: sent.moment != nil && !ledger.keys.isDestroyed(sent.person)
            )
        }
        return try .json(PageBody(items: items))
    }

    private struct MessageRequest: Decodable {
        let text: String?
        let moment: Moment?

        struct Moment: Decodable {
            let camera: CameraID
            let at: Timestamp
        }
    }

    private struct SentBody: Encodable {
        let number: Int
    }

    private func send(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ChannelID = try context.id()
        let command = try await ledger.command(request, context)
        let body: MessageRequest = try command.decoded()
        // The decision says it again; here it keeps those who are no members from decoding pictures and writing files.
        _ = try await channel(context)
        let author = ChannelMember(try command.asker.requireUser(), command.asker.role)
        let person = try ledger.personBehind(command.asker.principal)
        let moment: ChannelMessageSent.Moment? =
            if let asked = body.moment {
                try await hold(asked, for: command.asker.principal, person)
            } else {
                nil
            }
        let sending = SendToChannel(body.text, moment, to: id, by: author, person: person)
        var recorded: ChannelMessageSent?
        let response: Response
        do {
            response = try await ledger.answer(sending, command, status: .created) {
                recorded = $0
                return SentBody(number: $0.number)
            }
        } catch {
            if let moment, PictureRoutes.isCertainlyUnwritten(error) {
                try await ledger.blobs.drop(moment.still)
            }
            throw error
        }
        guard let moment else { return response }
        // Another still than this one: the message was sent before, and this file is named by nothing.
        if recorded?.moment?.still == moment.still {
            try await ledger.blobs.settle(moment.still)
            ledger.oweIfErased(person)
        } else {
            try await ledger.blobs.drop(moment.still)
        }
        return response
    }

    /// Decodes the picture of a moment and has it on disk, encrypted, before an event names it.
    private func hold(
        _ moment: MessageRequest.Moment,
        for asker: Principal,
        _ person: PersonID
    ) async throws -> ChannelMessageSent.Moment {
        let camera = try await CameraSight(ledger).check(moment.camera, for: asker)
        guard moment.at <= ledger.now else {
            throw Problem(
                .malformedRequest,
                detail: "moment.at is still to come: it is \(ledger.now)"
            )
        }
        // No older picture is shown as one of that moment.
        let jpeg = try await answers.still(
            of: camera.id,
            at: moment.at,
            within: (moment.at + (.zero - Self.stillAge))...moment.at,
            for: asker.holder
        )
        let blob = try await ledger.holdPicture(jpeg, for: person)
        return ChannelMessageSent.Moment(
            camera: camera.id,
            name: camera.settings?.name ?? "",
            at: moment.at,
            still: blob.digest,
            stillBytes: blob.bytes
        )
    }

    private func still(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let channel = try await channel(context)
        try await ledger.awaitLevel(request, of: Self.model)
        let number = context.parameters.get("number").flatMap {
            NumberText.whole($0, in: 1...Int.max)
        }
        guard let number,
            let position = try await ledger.readModels.channels.message(number, of: channel.id),
            let sent = try message(at: position)?.1, let moment = sent.moment
        else { throw Problem(.notFound, detail: "the channel has no picture of that number") }
        _ = try await ledger.keys(toRead: .channel(channel.id), context, fields: ["still"])
        guard let jpeg = try await ledger.blobs.open(moment.still, of: sent.person) else {
            throw Problem.pictureErased
        }
        return .jpeg(jpeg)
    }

    private struct ReadRequest: Decodable {
        let through: Int
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ChannelID = try context.id()
        let command = try await ledger.command(request, context)
        let body: ReadRequest = try command.decoded()
        let reader = ChannelMember(try command.asker.requireUser(), command.asker.role)
        return try await ledger.answer(
            ReadChannel(id, through: body.through, by: reader),
            command
        )
    }
}
