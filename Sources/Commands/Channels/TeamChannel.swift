// SPDX-License-Identifier: Apache-2.0
public import Events

/// A channel: who its members are, how many messages it has, and how far each member has read.
public struct TeamChannel: Fold {
    public let id: ChannelID
    /// `nil` before it was opened, and so is the next one.
    public private(set) var settings: ChannelSet?
    public private(set) var organisation: OrganisationID?
    /// The number of the newest message; 0 before the first.
    public private(set) var count = 0
    public private(set) var newestAt: Timestamp?
    /// The number of the newest message that each member has read; what a member writes, that one has read.
    public private(set) var read: [UserID: Int] = [:]

    public init(_ id: ChannelID) {
        self.id = id
    }

    public static func source(of id: ChannelID) -> FoldSource { .subject(.channel(id)) }

    /// Takes in an event of the channel's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .channel(let fact) = event.fact else { return }
        switch fact {
        case .set(let set): (settings, organisation) = (set, event.envelope.organisation)
        case .messageSent(let sent):
            (count, newestAt) = (sent.number, event.envelope.time)
            read[sent.author] = sent.number
        case .read(let reading): read[reading.reader] = reading.through
        }
    }

    /// Whether a user with a role is a member now.
    public func hasMember(_ role: Role, of organisation: OrganisationID) -> Bool {
        guard let settings, settings.isOpen, self.organisation == organisation else { return false }
        return settings.members.contains(role)
    }
}

/// An administrator opens a channel, changes or closes it.
public struct SetChannel: Command {
    public let channel: ChannelID
    public let settings: ChannelSet

    public init(_ channel: ChannelID, to settings: ChannelSet) {
        self.channel = channel
        self.settings = settings
    }

    /// Why it was not opened.
    public enum Refusal: CommandRefusal {
        /// It is another organisation's.
        case unknown(ChannelID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let channel): .channelUnknown(channel, attempt: "opening")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

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
        guard state.organisation.map({ $0 == context.organisation }) ?? true else {
            throw .unknown(channel)
        }
        for (field, text) in [("name", settings.name), ("site", settings.site)] {
            guard let text else { continue }
            try InputFault.check(
                name: text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        let roles = Set(settings.members)
        try InputFault.check(
            roles.count == settings.members.count && roles.isSubset(of: Self.mayBeMembers),
            "members",
            settings.members.map(\.rawValue).joined(separator: ", "),
            allowed: "roles of staff, each once",
            else: Refusal.unacceptable
        )
        guard state.settings != settings else { return .already(()) }
        return .record([.channel(channel, .set(settings))])
    }

    /// The roles of those who work with cameras.
    private static let mayBeMembers: Set<Role> = [
        .guard, .operator, .supervisor, .analyst, .auditor, .organisationAdmin, .admin,
    ]
}

extension Problem {
    /// No such channel for whoever asks.
    static func channelUnknown(_ channel: ChannelID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "channel-unknown",
            "\(attempt) refused: there is no channel \(channel) for you; choose one of the list",
            facts: ["channel": "\(channel)"]
        )
    }
}
