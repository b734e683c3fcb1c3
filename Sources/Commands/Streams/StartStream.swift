// SPDX-License-Identifier: Apache-2.0
public import Events

/// A caller's device begins to send video into an open session; its file exists already.
///
/// A valid token of another number is refused, and recorded (ruling 20); so is a revoked device.
public struct StartStream: Command {
    public let stream: StreamID
    public let session: SessionID
    public let from: Source
    public let settings: StreamSettings
    public let transport: StreamStarted.Transport
    public let codec: StreamStarted.Codec
    /// Path below the media folder; never changes (ruling 23).
    public let file: String
    /// The site's zone in which the file is named.
    public let timeZone: String

    public init(
        _ stream: StreamID,
        in session: SessionID,
        from: Source,
        settings: StreamSettings,
        transport: StreamStarted.Transport,
        codec: StreamStarted.Codec,
        file: String,
        timeZone: String
    ) {
        self.stream = stream
        self.session = session
        self.from = from
        self.settings = settings
        self.transport = transport
        self.codec = codec
        self.file = file
        self.timeZone = timeZone
    }

    /// What proved who sends.
    public enum Source: Hashable, Sendable {
        /// A registered device, by its token.
        case device(DeviceID)
        /// A one-use link that was made for a person.
        case link(of: PersonID)
    }

    /// Why no stream began.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case exists(StreamID)
        case unacceptable(InputFault)
        case consentRefused(SessionID)
        case tooManyStreams(SessionID, max: Int)
        /// The token is another number's; recorded.
        case otherNumber(SessionID)
        /// No operator asked for it, nor has the caller written; the wish has to be put first (ruling 35).
        case notAsked(SessionID)
        /// The device is unknown or revoked; recorded.
        case deviceNotValid(SessionID)

        public var problem: Problem { problemOfStarting }
    }

    /// What the decision depends on.
    public struct State {
        let session: Session
        let membership: Membership
        let stream: Stream
        /// None for a link.
        let device: Device?
        let isAnytime: Bool
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let device: Device? =
            switch from {
            case .device(let id): try ledger.read(Device.self, id)
            case .link: nil
            }
        return State(
            session: try ledger.read(Session.self, session),
            membership: try ledger.glance(Membership.self, session),
            stream: try ledger.read(Stream.self, stream),
            device: device,
            isAnytime: try Policy.callerFilmsAnytime(&ledger)
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try settings.check(else: Refusal.unacceptable)
        let contact = try state.session.contact(at: context.now, else: Refusal.unavailable)
        if let reason = mismatch(state, contact) {
            let refused = AccessRefused(
                resource: .session(session),
                attempt: "stream.start",
                reason: reason
            )
            return .record([.access(context.stamp.actor, .refused(refused))])
        }
        guard state.stream.start == nil else { throw .exists(stream) }
        guard state.session.takesVideo || state.isAnytime else { throw .notAsked(session) }
        guard state.session.consents[.video] != .refused else { throw .consentRefused(session) }
        let max = CommandLimits.streamsPerSessionMax
        guard state.session.streams.count < max else {
            throw .tooManyStreams(session, max: max)
        }
        let began = SessionActivitySignalled(by: .caller, activity: .streaming, stream: stream)
        let incident = state.membership.incident ?? contact.incident
        return .record([
            .stream(stream, .started(started(contact, incident))),
            .session(session, .activitySignalled(began)),
        ])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Void? {
        guard let refused = recorded.first(AccessRefused.self)?.payload else { return () }
        throw refused.reason == .otherNumber ? .otherNumber(session) : .deviceNotValid(session)
    }

    /// Why the sender is not the session's caller; `nil` if it is.
    private func mismatch(
        _ state: State,
        _ contact: Session.Contact
    ) -> AccessRefused.Reason? {
        switch from {
        case .device:
            guard let device = state.device, let person = device.validPerson else { return .token }
            return person == contact.caller ? nil : .otherNumber
        case .link(let person):
            return person == contact.caller ? nil : .otherNumber
        }
    }

    private func started(_ contact: Session.Contact, _ incident: IncidentID) -> StreamStarted {
        StreamStarted(
            session: session,
            incident: incident,
            caller: contact.caller,
            transport: transport,
            codec: codec,
            width: settings.width,
            height: settings.height,
            framesPerSecond: settings.framesPerSecond,
            kilobitsPerSecond: settings.kilobitsPerSecond,
            quality: settings.quality,
            camera: settings.camera,
            file: file,
            timeZone: timeZone
        )
    }
}
