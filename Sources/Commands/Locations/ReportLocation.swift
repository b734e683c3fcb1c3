// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller's device tells its place, by itself or because it was asked.
///
/// A place that answers a waiting request answers it, and counts as a start (ruling 35).
public struct ReportLocation: SessionCommand {
    public let session: SessionID
    public let by: Sender
    public let fix: Fix
    /// How it was measured: `gps`, `network`, `manual`.
    public let method: String
    public let request: RequestID?

    public init(
        _ fix: Fix,
        in session: SessionID,
        by: Sender,
        method: String,
        request: RequestID? = nil
    ) {
        self.session = session
        self.by = by
        self.fix = fix
        self.method = method
        self.request = request
    }

    /// Why the place was not taken.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        case requestUnknown(RequestID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "reporting a place")
            case .notYours(let why): why.problem(of: "reporting a place")
            case .requestUnknown(let id): .requestUnknown(id, attempt: "reporting a place")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try checkInput()
        let contact = try state.contact(at: context.now, else: Refusal.unavailable)
        try by.check(on: state, else: Refusal.notYours)
        let answer = try state.locationAnswer(
            to: request,
            .accepted,
            at: context.now,
            else: Refusal.requestUnknown
        )
        let reported = LocationReported(
            person: contact.caller,
            fix: .open(fix, of: contact.caller),
            method: method,
            request: request
        )
        return .record([.location(session, .reported(reported))] + answer)
    }

    private func checkInput() throws(Refusal) {
        try InputFault.check(fix, else: Refusal.unacceptable)
        try InputFault.check(
            method,
            "method",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
    }
}

extension Session {
    /// The answer that a place, or its lack, is to the request which it names.
    ///
    /// None if that one has its answer already. A place that comes late is taken, its request ends as stale.
    func locationAnswer<Refusal: Error>(
        to request: RequestID?,
        _ answer: SessionRequestAnswered.Answer,
        at now: Timestamp,
        else refuse: (RequestID) -> Refusal
    ) throws(Refusal) -> [Write] {
        guard let request else { return [] }
        guard let known = requests[request], known.ask == .sendLocation else {
            throw refuse(request)
        }
        guard known.answer == nil else { return [] }
        let answered = SessionRequestAnswered(
            request: request,
            answer: known.isPast(at: now) ? .stale : answer
        )
        return [.session(id, .requestAnswered(answered))]
    }
}
