// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner asks the caller for something; one request of a kind waits at a time.
public struct SendRequest: SessionCommand {
    public let session: SessionID
    public let by: UserID
    public let ask: SessionRequestSent.Ask

    public init(_ session: SessionID, by: UserID, ask: SessionRequestSent.Ask) {
        self.session = session
        self.by = by
        self.ask = ask
    }

    /// What the push or the page carries.
    public struct Outcome: Hashable, Sendable {
        public let request: RequestID
        public let expiresAt: Timestamp?
    }

    /// Why nothing was asked.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)
        case pending(RequestID, SessionRequestSent.Ask)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "asking the caller")
            case .notOwner(let why): why.problem(of: "asking the caller")
            case .pending(let request, let ask):
                Problem(
                    .conflict,
                    "request-pending",
                    "asking the caller refused: request \(request) to \(ask.rawValue) waits for "
                        + "its answer; wait for it",
                    facts: ["request": "\(request)", "ask": ask.rawValue]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        let contact = try state.contact(at: context.now, else: Refusal.unavailable)
        guard state.owner == by else { throw .notOwner(NotOwner(state)) }
        let waiting = state.requests.first {
            $0.value.ask == ask && $0.value.isPending(at: context.now)
        }
        if let waiting { throw .pending(waiting.key, ask) }
        // Until something started, a request lives as long as the session does (§7.14, RequestTtl).
        let limit = context.now + .seconds(CommandLimits.startLimitSeconds)
        let sent = SessionRequestSent(
            request: context.newID(),
            ask: ask,
            expiresAt: state.isStarted ? limit : contact.expiresAt ?? limit
        )
        return .record([.session(session, .requestSent(sent))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(SessionRequestSent.self)
            .map { Outcome(request: $0.payload.request, expiresAt: $0.payload.expiresAt) }
    }
}
