// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller's page shows a request; told once, and only while the request waits.
public struct MarkRequestOpened: SessionCommand {
    public let session: SessionID
    public let request: RequestID
    public let by: Sender

    public init(_ request: RequestID, in session: SessionID, by: Sender) {
        self.session = session
        self.request = request
        self.by = by
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        case unknown(RequestID)
        case over(RequestID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "opening the request")
            case .notYours(let why): why.problem(of: "opening the request")
            case .unknown(let request): .requestUnknown(request, attempt: "opening the request")
            case .over(let request):
                Problem(
                    .conflict,
                    "request-over",
                    "opening the request refused: request \(request) was answered, or its time is "
                        + "over; wait for a new request",
                    facts: ["request": "\(request)"]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.contact != nil else { throw .unavailable(.unknown(session)) }
        try by.check(on: state, else: Refusal.notYours)
        guard let known = state.requests[request] else { throw .unknown(request) }
        if known.isOpened { return .already(()) }
        guard known.isPending(at: context.now), state.isOpen(at: context.now) else {
            throw .over(request)
        }
        let opened = SessionRequestOpened(request: request)
        return .record([.session(session, .requestOpened(opened))])
    }
}
