// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller agrees to something, or does not.
public struct RecordConsent: SessionCommand {
    public let session: SessionID
    public let by: Sender
    public let scope: SessionConsentRecorded.Scope
    public let decision: SessionConsentRecorded.Decision
    /// Which wording was shown.
    public let textVersion: String

    public init(
        _ session: SessionID,
        by: Sender,
        scope: SessionConsentRecorded.Scope,
        decision: SessionConsentRecorded.Decision,
        textVersion: String
    ) {
        self.session = session
        self.by = by
        self.scope = scope
        self.decision = decision
        self.textVersion = textVersion
    }

    /// Why the decision was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "recording consent")
            case .notYours(let why): why.problem(of: "recording consent")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            textVersion,
            "textVersion",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        try by.check(on: state, else: Refusal.notYours)
        let consent = SessionConsentRecorded(
            scope: scope,
            decision: decision,
            textVersion: textVersion
        )
        return .record([.session(session, .consentRecorded(consent))])
    }
}
