// SPDX-License-Identifier: Apache-2.0
public import Events

/// An alert for one contact, with its parts: an SMS, an e-mail, a push.
public struct Alert: Fold {
    public let id: AlertID
    /// What it says, to whom; `nil` before it was queued.
    public private(set) var content: AlertQueued?
    /// The event that queued it, and the one for which it did.
    public private(set) var queued: Cause?
    public private(set) var queuedFor: EventID?
    /// By channel; empty before it was queued.
    public private(set) var parts: [AlertChannel: Part] = [:]
    /// Whether its contact acknowledged it.
    public var isAcknowledged: Bool { acknowledgedAt != nil }
    /// When its contact did.
    public private(set) var acknowledgedAt: Timestamp?

    /// How far one part has come.
    public struct Part: Hashable, Sendable {
        /// Attempts with a known end.
        public internal(set) var attempts = 0
        /// Whether an attempt began whose end is not known.
        public internal(set) var isUnderWay = false
        public internal(set) var isSent = false
        /// Whether it failed in a way that another attempt cannot mend.
        public internal(set) var isGivenUp = false
        /// Before which moment no further attempt is due.
        public internal(set) var retryAt: Timestamp?
        /// What the outside reported of it last.
        public internal(set) var report: AlertReported.Outcome?

        /// Takes in a report: a later outcome replaces an earlier one, never the other way round.
        mutating func apply(_ outcome: AlertReported.Outcome) {
            guard outcome.rank > report?.rank ?? -1 else { return }
            report = outcome
            // A report may overtake the answer to the attempt.
            if isUnderWay { attempts += 1 }
            isUnderWay = false
            (isSent, isGivenUp) = outcome == .undeliverable ? (false, true) : (true, false)
        }
    }

    public init(_ id: AlertID) {
        self.id = id
    }

    public static func source(of id: AlertID) -> FoldSource { .subject(.alert(id)) }

    /// Whether it was queued.
    public var isQueued: Bool { !parts.isEmpty }

    /// What it is about.
    public var cause: Subject? { content?.cause }

    /// The device that a push goes to.
    public var device: DeviceID? { content?.push }

    /// From when on it is not worth sending.
    public var expiresAt: Timestamp? {
        guard let content, let queued else { return nil }
        let life = min(max(0, content.timeToLiveSeconds), CommandLimits.alertTimeToLiveSecondsMax)
        return queued.time + .seconds(life)
    }

    /// Takes in an event of the alert's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .alert(let fact) = event.fact else { return }
        switch fact {
        case .queued(let queued):
            content = queued
            self.queued = Cause(event.envelope)
            queuedFor = event.envelope.causation
            if queued.sms != nil { parts[.sms] = Part() }
            if queued.email != nil { parts[.email] = Part() }
            if queued.push != nil { parts[.push] = Part() }
            if queued.browser != nil { parts[.browser] = Part() }
        case .deliveryAttempted(let begun): parts[begun.channel]?.isUnderWay = true
        case .sent(let sent):
            parts[sent.channel]?.attempts = sent.attempt
            parts[sent.channel]?.isUnderWay = false
            parts[sent.channel]?.isSent = true
        case .failed(let failed):
            parts[failed.channel]?.attempts = failed.attempt
            parts[failed.channel]?.isUnderWay = false
            if failed.permanence == .permanent { parts[failed.channel]?.isGivenUp = true }
            parts[failed.channel]?.retryAt = failed.retryAfterSeconds.map {
                event.envelope.time
                    + .seconds(min(max(0, $0), CommandLimits.alertTimeToLiveSecondsMax))
            }
        case .reported(let reported): parts[reported.channel]?.apply(reported.outcome)
        case .answered(let answered):
            guard answered.answer == .acknowledged else { return }
            acknowledgedAt = acknowledgedAt ?? event.envelope.time
        case .senderSet, .templateDefined: break
        }
    }
}

extension AlertReported.Outcome {
    /// A later outcome has the higher number.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Alert {
    /// The part that an attempt is about, if that attempt is the next one.
    func part(
        _ channel: AlertChannel,
        attempt: Int
    ) throws(AlertAttemptRefusal) -> Part {
        guard isQueued else { throw .unknown(id) }
        guard let part = parts[channel] else { throw .noSuchPart(id, channel) }
        guard !part.isSent else { throw .sentBefore(id, channel) }
        guard !part.isGivenUp else { throw .givenUp(id, channel) }
        // Of an attempt that had begun the end is taken all the same.
        guard !isAcknowledged || part.isUnderWay else { throw .answered(id) }
        guard attempt == part.attempts + 1 else {
            throw .notNext(id, channel, expected: part.attempts + 1)
        }
        return part
    }
}

/// Why the end of an attempt was not recorded.
public enum AlertAttemptRefusal: CommandRefusal {
    case unknown(AlertID)
    case noSuchPart(AlertID, AlertChannel)
    case sentBefore(AlertID, AlertChannel)
    case givenUp(AlertID, AlertChannel)
    case notNext(AlertID, AlertChannel, expected: Int)
    case underWay(AlertID, AlertChannel)
    case answered(AlertID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "alert-unknown",
                "recording an attempt refused: there is no alert \(id); check the id",
                facts: ["alert": "\(id)"]
            )
        case .noSuchPart(let id, let channel):
            Problem(
                .unprocessable,
                "alert-part-missing",
                "recording an attempt refused: alert \(id) has no \(channel.rawValue) part; "
                    + "send the parts that it has",
                facts: ["alert": "\(id)", "channel": channel.rawValue]
            )
        case .sentBefore(let id, let channel):
            Problem(
                .conflict,
                "alert-part-sent",
                "recording an attempt refused: the \(channel.rawValue) part of alert \(id) was "
                    + "sent; send no more",
                facts: ["alert": "\(id)", "channel": channel.rawValue]
            )
        case .givenUp(let id, let channel):
            Problem(
                .conflict,
                "alert-part-given-up",
                "recording an attempt refused: the \(channel.rawValue) part of alert \(id) failed "
                    + "for good; queue a new alert",
                facts: ["alert": "\(id)", "channel": channel.rawValue]
            )
        case .notNext(let id, let channel, let expected):
            Problem(
                .conflict,
                "alert-attempt-not-next",
                "recording an attempt refused: attempt \(expected) of the \(channel.rawValue) part "
                    + "of alert \(id) is next; number it so",
                facts: ["alert": "\(id)", "expected": String(expected)]
            )
        case .underWay(let id, let channel):
            Problem(
                .conflict,
                "alert-attempt-under-way",
                "beginning an attempt refused: one of the \(channel.rawValue) part of alert \(id) "
                    + "is under way; record its end first",
                facts: ["alert": "\(id)", "channel": channel.rawValue]
            )
        case .answered(let id):
            Problem(
                .conflict,
                "alert-answered",
                "recording an attempt refused: alert \(id) was answered; send no more",
                facts: ["alert": "\(id)"]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}
