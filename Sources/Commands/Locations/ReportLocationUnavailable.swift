// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller's device cannot tell its place.
public struct ReportLocationUnavailable: SessionCommand {
    public let session: SessionID
    public let by: Sender
    public let reason: LocationUnavailable.Reason
    public let request: RequestID?

    public init(
        in session: SessionID,
        by: Sender,
        reason: LocationUnavailable.Reason,
        request: RequestID? = nil
    ) {
        self.session = session
        self.by = by
        self.reason = reason
        self.request = request
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        case requestUnknown(RequestID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "reporting that there is no place")
            case .notYours(let why): why.problem(of: "reporting that there is no place")
            case .requestUnknown(let id):
                .requestUnknown(id, attempt: "reporting that there is no place")
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        try by.check(on: state, else: Refusal.notYours)
        // Who denied said no; a device that found nothing in time did what it was asked.
        let answer = try state.locationAnswer(
            to: request,
            reason == .denied ? .declined : .accepted,
            at: context.now,
            else: Refusal.requestUnknown
        )
        let unavailable = LocationUnavailable(reason: reason, request: request)
        return .record([.location(session, .unavailable(unavailable))] + answer)
    }
}
