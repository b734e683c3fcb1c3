// SPDX-License-Identifier: Apache-2.0
public import Events

/// A member writes to the others, shows them a moment of a camera, or both.
///
/// Whether the member may look at the camera is for the gateway to say, and it has the still on disk by then.
public struct SendToChannel: Command {
    public let channel: ChannelID
    public let author: ChannelMember
    /// Whose key seals the words.
    public let person: PersonID
    public let text: String?
    public let moment: ChannelMessageSent.Moment?

    public init(
        _ text: String?,
        _ moment: ChannelMessageSent.Moment? = nil,
        to channel: ChannelID,
        by author: ChannelMember,
        person: PersonID
    ) {
        self.channel = channel
        self.author = author
        self.person = person
        self.text = text
        self.moment = moment
    }

    public typealias Refusal = ChannelRefusal

    /// What was recorded: of a repetition, what was recorded first.
    public typealias Outcome = ChannelMessageSent

    public var subject: Subject { .channel(channel) }

    /// Nobody's but the asker's: what another organisation has is refused, not written there.
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> (channel: TeamChannel, author: Person) {
        (try ledger.read(TeamChannel.self, channel), try ledger.read(Person.self, person))
    }

    public func decide(
        _ state: (channel: TeamChannel, author: Person),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard state.channel.hasMember(author.role, of: context.organisation) else {
            throw .notMember(channel)
        }
        if text != nil || moment == nil {
            try InputFault.check(
                text ?? "",
                "text",
                bytesMax: CommandLimits.messageBytesMax,
                else: Refusal.unacceptable
            )
        }
        let sent = ChannelMessageSent(
            number: state.channel.count + 1,
            author: author.user,
            person: person,
            text: text.flatMap(state.author.sealed),
            moment: moment
        )
        return .record([.channel(channel, .messageSent(sent))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(ChannelMessageSent.self)?.payload
    }
}

/// A member has read up to a message; it never goes back.
public struct ReadChannel: Command {
    public let channel: ChannelID
    public let reader: ChannelMember
    public let through: Int

    public init(_ channel: ChannelID, through: Int, by reader: ChannelMember) {
        self.channel = channel
        self.reader = reader
        self.through = through
    }

    public typealias Refusal = ChannelRefusal

    public var subject: Subject { .channel(channel) }

    /// Nobody's but the asker's: what another organisation has is refused, not written there.
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> TeamChannel {
        try ledger.read(TeamChannel.self, channel)
    }

    public func decide(
        _ state: TeamChannel,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.hasMember(reader.role, of: context.organisation) else {
            throw .notMember(channel)
        }
        try InputFault.check(
            (0...state.count).contains(through),
            "through",
            "\(through)",
            allowed: "the number of a message, up to \(state.count)",
            else: Refusal.unacceptable
        )
        guard through > state.read[reader.user] ?? 0 else { return .already(()) }
        return .record([
            .channel(channel, .read(ChannelRead(reader: reader.user, through: through)))
        ])
    }
}

/// A user with the role that they have now: by the role they are a member, or not.
public struct ChannelMember: Hashable, Sendable {
    public let user: UserID
    public let role: Role

    public init(_ user: UserID, _ role: Role) {
        (self.user, self.role) = (user, role)
    }
}

/// Why nothing was recorded in a channel.
public enum ChannelRefusal: CommandRefusal {
    /// There is none, it is closed, another organisation's, or not for the role: all told alike.
    case notMember(ChannelID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .notMember(let channel): .channelUnknown(channel, attempt: "writing")
        case .unacceptable(let fault): fault.problem
        }
    }
}
