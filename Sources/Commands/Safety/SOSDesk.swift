// SPDX-License-Identifier: Apache-2.0
public import Events

/// What the operators' queue gets of a citizen's call for help, on a site that wants it there: words in the citizen's name, in a
/// session that an operator claims like any other.
public struct DeskNotice: Sendable {
    public let text: String
    /// The citizen's number, and the phone that asks.
    public let phone: PhoneNumber?
    public let device: DeviceID?

    public init(_ text: String, phone: PhoneNumber?, device: DeviceID?) {
        (self.text, self.phone, self.device) = (text, phone, device)
    }

    /// The words, in the citizen's open session or in a new one.
    ///
    /// - Parameters:
    ///   - id: The call; its id makes the message one.
    ///   - caller: The citizen.
    ///   - opening: What opening a session depends on.
    ///   - fix: Where the citizen is, if known.
    ///   - opensSession: Whether there is to be a session where none is open.
    ///   - context: The command's.
    /// - Returns: What is recorded; nothing where there is no session for it.
    func writes(
        about id: SOSID,
        of caller: PersonID,
        _ opening: Opening,
        at fix: Fix?,
        opensSession: Bool,
        _ context: inout CommandContext
    ) -> [Write] {
        var writes: [Write] = []
        let session: SessionID
        if let open = opening.openSession, open.isOpen(at: context.now) {
            session = open.id
        } else if opensSession {
            let begun = opening.chat(of: caller, phone: phone, device: device, &context)
            (session, writes) = (begun.session, begun.writes)
        } else {
            return []
        }
        let said = ChatMessageSent(
            message: context.newID(),
            temporaryID: opensSession ? "sos-\(id)" : "sos-end-\(id)",
            from: .caller,
            text: .open(text, of: caller),
            clientTimestamp: "",
            channel: .http
        )
        writes.append(.chat(session, .messageSent(said)))
        return writes + Self.place(fix, of: caller, in: session)
    }

    /// Where the citizen is, as the session has it.
    static func place(_ fix: Fix?, of caller: PersonID, in session: SessionID) -> [Write] {
        guard let fix else { return [] }
        let reported = LocationReported(
            person: caller,
            fix: .open(fix, of: caller),
            method: "sos"
        )
        return [.location(session, .reported(reported))]
    }
}
