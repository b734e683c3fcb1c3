// SPDX-License-Identifier: Apache-2.0
public import Events

/// Another operator takes a session that its owner left unattended for too long (ruling 34).
public struct TakeOverSession: TakingCommand {
    public let session: SessionID
    public let by: UserID

    public init(_ session: SessionID, by: UserID) {
        self.session = session
        self.by = by
    }

    /// Why it stays its owner's.
    public enum Refusal: TakingRefusal {
        case unavailable(SessionUnavailable)
        /// Its owner is there, or it has none.
        case notUnattended(SessionID, owner: UserID?)
        /// Its owner may still come back.
        case tooSoon(SessionID, until: Timestamp)
        case operatorBusy(OperatorBusy)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "taking over")
            case .notUnattended(let session, let owner):
                Problem(
                    .conflict,
                    "session-not-unattended",
                    "taking over refused: "
                        + (owner.map { "operator \($0) attends session \(session); ask for it" }
                            ?? "nobody has session \(session); claim it"),
                    facts: ["session": "\(session)"]
                )
            case .tooSoon(let session, let until):
                Problem(
                    .conflict,
                    "take-over-too-soon",
                    "taking over refused: the owner of session \(session) may come back until "
                        + "\(until); try again then, or have a supervisor give it back",
                    facts: ["session": "\(session)", "until": "\(until)"]
                )
            case .operatorBusy(let busy): busy.problem(of: "taking over")
            }
        }
    }

    public func decide(
        _ state: Taking,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try state.checkOpen(at: context.now, else: Refusal.self)
        guard state.session.owner != by else { return .already(()) }
        guard let owner = state.session.owner, let absence = state.session.absence else {
            throw .notUnattended(session, owner: state.session.owner)
        }
        guard context.now >= absence.takeOverAt else {
            throw .tooSoon(session, until: absence.takeOverAt)
        }
        let transferred = SessionTransferred(from: owner, to: by, reason: .takenOver)
        return try state.taken(by: .transferred(transferred), at: context.now, else: Refusal.self)
    }
}
