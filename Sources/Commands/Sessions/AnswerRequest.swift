// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller answers a request, or a policy says that its time is over.
///
/// An answer that comes too late is recorded as stale, and the caller is told so.
public struct AnswerRequest: SessionCommand {
    public let session: SessionID
    public let request: RequestID
    public let by: Sender
    public let answer: SessionRequestAnswered.Answer

    public init(
        _ request: RequestID,
        in session: SessionID,
        by: Sender,
        answer: SessionRequestAnswered.Answer
    ) {
        self.session = session
        self.request = request
        self.by = by
        self.answer = answer
    }

    /// The answer as it counts.
    public typealias Outcome = SessionRequestAnswered.Answer

    /// Why the answer was not taken.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        case unknown(RequestID)
        case answered(RequestID, SessionRequestAnswered.Answer)
        case notYetStale(RequestID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "answering")
            case .notYours(let why): why.problem(of: "answering")
            case .unknown(let request): .requestUnknown(request, attempt: "answering")
            case .answered(let request, let answer):
                Problem(
                    .conflict,
                    "request-answered",
                    "answering refused: request \(request) was answered with \(answer.rawValue); "
                        + "wait for a new request",
                    facts: ["request": "\(request)", "answer": answer.rawValue]
                )
            case .notYetStale(let request):
                Problem(
                    .conflict,
                    "request-not-stale",
                    "answering refused: request \(request) can still be answered; "
                        + "ask again when its time is over",
                    facts: ["request": "\(request)"]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard state.contact != nil else { throw .unavailable(.unknown(session)) }
        try by.check(on: state, else: Refusal.notYours)
        guard let known = state.requests[request] else { throw .unknown(request) }
        if let first = known.answer {
            // Too late is no mistake of the caller's: they hear how it counts.
            guard first == answer || first == .stale else { throw .answered(request, first) }
            return .already(first)
        }
        let isLate = known.isPast(at: context.now) || !state.isOpen(at: context.now)
        guard answer != .stale || isLate else { throw .notYetStale(request) }
        let counted: Outcome = isLate ? .stale : answer
        return .record([
            .session(
                session,
                .requestAnswered(SessionRequestAnswered(request: request, answer: counted))
            )
        ])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(SessionRequestAnswered.self)?.payload.answer
    }
}

extension Problem {
    static func requestUnknown(_ request: RequestID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "request-unknown",
            "\(attempt) refused: the session has no request \(request); check the id",
            facts: ["request": "\(request)"]
        )
    }
}
