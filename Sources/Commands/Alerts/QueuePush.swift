// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller's device is to be told by Web Push that the centre asks; nothing is sent by the command.
///
/// Queued only while what it tells of is still open, and for chat at most once in a while.
public struct QueuePush: Command {
    public let device: DeviceID
    public let session: SessionID
    public let cause: Cause
    /// The time between two pushes about the chat of a session.
    public let chatInterval: Duration
    /// How long a push about the chat is worth sending.
    public let chatLife: Duration

    /// What the device is told of.
    public enum Cause: Hashable, Sendable {
        /// An operator opened the session for the caller's number.
        case opening
        case request(RequestID)
        /// A message of the centre that did not reach the caller.
        case message(MessageID)
    }

    public init(
        to device: DeviceID,
        about cause: Cause,
        in session: SessionID,
        chatInterval: Duration = .seconds(60),
        chatLife: Duration = .seconds(3_600)
    ) {
        self.device = device
        self.session = session
        self.cause = cause
        self.chatInterval = chatInterval
        self.chatLife = chatLife
    }

    /// The alert's id, be it new or the one that says the same.
    public typealias Outcome = AlertID

    /// Why nothing was queued.
    public enum Refusal: CommandRefusal {
        case overtaken(SessionID)
        /// The device takes no pushes, or none of a session that it may not see.
        case notSubscribed(DeviceID)

        public var problem: Problem {
            switch self {
            case .overtaken(let session):
                Problem(
                    .conflict,
                    "push-overtaken",
                    "queueing a push refused: what it would tell of is over in session \(session); "
                        + "tell nothing",
                    facts: ["session": "\(session)"]
                )
            case .notSubscribed(let device):
                Problem(
                    .conflict,
                    "push-not-subscribed",
                    "queueing a push refused: device \(device) takes none of this session; reach "
                        + "the caller on another way",
                    facts: ["device": "\(device)"]
                )
            }
        }
    }

    public var subject: Subject { .session(session) }

    /// What the decision goes by.
    public struct State {
        let session: Session
        let device: Device
        /// What its caller was told of last; `nil` for a session that there is not.
        let contact: Contact?
        /// Whether the device may see the session (ruling 39).
        let isSeen: Bool
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let state = try ledger.read(Session.self, session)
        let caller = state.contact?.caller
        let device = try ledger.read(Device.self, device)
        return State(
            session: state,
            device: device,
            contact: try caller.map { try ledger.read(Contact.self, $0) },
            isSeen: try device.mayBeTold(of: state) { try ledger.read(Device.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard let topic = state.session.topic(of: cause, chatLife: chatLife, at: context.now),
            let contact = state.contact
        else { throw .overtaken(session) }
        guard state.device.push != nil, state.device.validPerson == contact.id, state.isSeen else {
            throw .notSubscribed(device)
        }
        let key = "push/\(device)/\(session)/\(deduplication)"
        let same = Contact.Key(
            organisation: context.organisation,
            cause: .session(session),
            template: topic.template.rawValue,
            push: device,
            text: key
        )
        if topic.template == .chat, let known = contact.alerts(saying: same).first,
            context.now.isLess(than: chatInterval, after: known.place.time)
        {
            return .already(known.alert, known.place)
        }
        let queued = AlertQueued(
            cause: .session(session),
            severity: topic.template == .chat ? .info : .critical,
            template: topic.template.rawValue,
            contact: contact.id,
            push: device,
            deduplicationKey: key,
            timeToLiveSeconds: topic.seconds(from: context.now)
        )
        return .record([.alert(context.newID(), .queued(queued))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(AlertQueued.self).flatMap { AlertID(String($0.subject.name)) }
    }

    private var deduplication: String {
        switch cause {
        case .opening: "opening"
        case .request(let request): "\(request)"
        case .message: "chat"
        }
    }
}
