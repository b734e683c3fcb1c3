// SPDX-License-Identifier: Apache-2.0
public import Events

/// A session is handled: it takes no message and no video any more, and its streams stop with it.
public struct CloseSession: Command {
    public let session: SessionID
    public let by: Closer
    /// How it ended, in the centre's words, such as `handled`.
    public let disposition: String
    public let note: String?

    public init(_ session: SessionID, by: Closer, disposition: String, note: String? = nil) {
        self.session = session
        self.by = by
        self.disposition = disposition
        self.note = note
    }

    /// Who closes it.
    public enum Closer: Hashable, Sendable {
        /// The owner, or a supervisor.
        case staff(Staff)
        /// A policy of the centre.
        case system

        var party: Party {
            switch self {
            case .staff: .operator
            case .system: .system
            }
        }
    }

    /// Why it stays open.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "closing")
            case .notOwner(let why): why.problem(of: "closing")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (session: Session, live: [Stream]) {
        let state = try ledger.read(Session.self, session)
        var live: [Stream] = []
        // A stream that is over stays so, and needs no condition.
        for id in state.streams where try !ledger.glance(Stream.self, id).isOver {
            live.append(try ledger.read(Stream.self, id))
        }
        return (state, live)
    }

    public func decide(
        _ state: (session: Session, live: [Stream]),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try checkInput()
        let contact = try state.session.contact(at: context.now, else: Refusal.unavailable)
        if case .staff(let staff) = by, !staff.mayAct(on: state.session) {
            throw .notOwner(NotOwner(state.session))
        }
        let closed = SessionClosed(
            caller: contact.caller,
            by: by.party,
            owner: state.session.owner,
            disposition: disposition,
            note: note.map { .open($0, of: contact.caller) }
        )
        let stops = state.live.compactMap { $0.stop(by: by.party, reason: "session closed") }
        return .record([.session(session, .closed(closed))] + stops)
    }

    private func checkInput() throws(Refusal) {
        try InputFault.check(
            disposition,
            "disposition",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            optional: note,
            "note",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
    }
}
