// SPDX-License-Identifier: Apache-2.0
public import Events

/// The start limit of a session ran out: what the start-limit policy asks.
public struct ExpireSession: SessionCommand {
    public let session: SessionID

    public init(_ session: SessionID) {
        self.session = session
    }

    /// Why the session did not expire.
    public enum Refusal: CommandRefusal {
        case unknown(SessionID)
        case closed(SessionID)
        case started(SessionID)
        case noLimit(SessionID)
        case tooEarly(SessionID, expiresAt: Timestamp)

        public var problem: Problem {
            switch self {
            case .unknown(let id): SessionUnavailable.unknown(id).problem(of: "expiring")
            case .closed(let id): SessionUnavailable.closed(id).problem(of: "expiring")
            case .started(let id):
                Problem(
                    .conflict,
                    "session-started",
                    "expiring refused: video, a place or a message came in session \(id); "
                        + "close it when it is handled",
                    facts: ["session": "\(id)"]
                )
            case .noLimit(let id):
                Problem(
                    .conflict,
                    "session-without-limit",
                    "expiring refused: session \(id) was opened by its caller and has no limit; "
                        + "close it when it is handled",
                    facts: ["session": "\(id)"]
                )
            case .tooEarly(let id, let expiresAt):
                Problem(
                    .conflict,
                    "session-limit-not-reached",
                    "expiring refused: session \(id) has time until \(expiresAt); ask again then",
                    facts: ["session": "\(id)", "expiresAt": "\(expiresAt)"]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.contact != nil else { throw .unknown(session) }
        switch state.ending {
        case .expired: return .already(())
        case .closed: throw .closed(session)
        case nil: break
        }
        guard !state.isStarted else { throw .started(session) }
        guard let limit = state.startLimit else { throw .noLimit(session) }
        guard let expiry = state.overdueExpiry(at: context.now) else {
            throw .tooEarly(session, expiresAt: limit)
        }
        return .record([expiry])
    }
}
