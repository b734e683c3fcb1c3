// SPDX-License-Identifier: Apache-2.0
public import Events

/// How the messages of one channel leave, as it was set last.
public struct MessageSender: Fold {
    public let id: AlertChannel
    /// `nil` before it was set up.
    public private(set) var settings: SenderSettings?
    /// When it was set last.
    public private(set) var setAt: Timestamp?

    public init(_ id: AlertChannel) {
        self.id = id
    }

    public static func source(of id: AlertChannel) -> FoldSource { .subject(.sender(id)) }

    /// Takes in an event of the sender's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .alert(.senderSet(let set)) = event.fact else { return }
        (settings, setAt) = (set.settings, event.envelope.time)
    }
}

/// Sets up how the messages of one channel leave, or changes it.
public struct SetSender: Command {
    public let channel: AlertChannel
    public let settings: SenderSettings

    public init(_ channel: AlertChannel, to settings: SenderSettings) {
        self.channel = channel
        self.settings = settings
    }

    /// Why it was not set.
    public enum Refusal: CommandRefusal {
        /// The channel has nothing to set up.
        case noSettings(AlertChannel)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .noSettings(let channel):
                Problem(
                    .unprocessable,
                    "sender-without-settings",
                    "setting the sender refused: \(channel.rawValue) has nothing to set up; "
                        + "name sms or email",
                    facts: ["channel": channel.rawValue]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .sender(channel) }

    public func read(_ ledger: inout LedgerView) throws -> MessageSender {
        try ledger.read(MessageSender.self, channel)
    }

    public func decide(
        _ state: MessageSender,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard channel == .sms || channel == .email else { throw .noSettings(channel) }
        try checkTexts()
        try InputFault.check(
            (1...65_535).contains(settings.port),
            "port",
            settings.port,
            allowed: "1 to 65535",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            (1...CommandLimits.messagesPerMinuteMax).contains(settings.perMinute),
            "perMinute",
            settings.perMinute,
            allowed: "1 to \(CommandLimits.messagesPerMinuteMax)",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            channel == .email || settings.security != .startTLS,
            "security",
            settings.security.rawValue,
            allowed: "none or tls for SMS",
            else: Refusal.unacceptable
        )
        guard state.settings != settings else { return .already(()) }
        let set = SenderSet(channel: channel, settings: settings)
        return .record([.sender(channel, .senderSet(set))])
    }

    private func checkTexts() throws(Refusal) {
        for (field, text) in [("host", settings.host), ("from", settings.from)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.senderTextBytesMax,
                else: Refusal.unacceptable
            )
        }
        let texts = [
            ("user", settings.user), ("secret", settings.secret), ("reportsTo", settings.reportsTo),
        ]
        for (field, text) in texts {
            try InputFault.check(
                optional: text,
                field,
                bytesMax: CommandLimits.senderTextBytesMax,
                else: Refusal.unacceptable
            )
        }
        let all = [settings.host, settings.from] + texts.compactMap(\.1)
        try InputFault.check(
            all.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value > 0x1F && $0.value != 0x7F } },
            "settings",
            "a text with a control character",
            allowed: "a text in one line",
            else: Refusal.unacceptable
        )
    }
}
