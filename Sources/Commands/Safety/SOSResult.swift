// SPDX-License-Identifier: Apache-2.0
public import Events

/// How far a call for help has come with its contacts.
public enum SOSResult: String, Hashable, Sendable {
    /// Each contact was sent a message by one of their channels.
    case told = "sos-told"
    /// Each was, or has none that is likely to be sent soon.
    case untold = "sos-untold"

    /// After so many attempts a message counts as not sent, though it is tried further.
    static let attemptsMax = 3

    /// The result of alerts for contacts; `nil` while one of them may still be sent soon, and where there is none.
    ///
    /// - Parameter alerts: One a contact.
    public init?(_ alerts: [Alert]) {
        guard !alerts.isEmpty, alerts.allSatisfy({ $0.isReached || $0.isFailing }) else {
            return nil
        }
        self = alerts.allSatisfy(\.isReached) ? .told : .untold
    }
}

extension Alert {
    /// Whether a message of it was sent.
    public var isReached: Bool { parts.values.contains(where: \.isSent) }

    /// Whether none of its messages was sent at several attempts, or can be.
    var isFailing: Bool {
        !isReached
            && parts.values.allSatisfy { $0.isGivenUp || $0.attempts >= SOSResult.attemptsMax }
    }
}

/// Calls for help that go on, of the whole ledger, and when each was raised.
public struct OpenCalls: Fold {
    public private(set) var all: [SOSID: Timestamp] = [:]

    public init(_ id: Void) {}

    public static func source(of id: Void) -> FoldSource { .category("sos") }

    /// Takes in an event of any call.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .safety(let fact) = event.fact,
            let id = SOSID(String(event.envelope.subject.name))
        else { return }
        switch fact {
        case .raised:
            let time = event.envelope.time
            // A call without an end is over after its life.
            all = all.filter { $0.value + CommandLimits.sosLife > time }
            all[id] = time
        case .ended: all[id] = nil
        case .moved, .citizenSet, .contactSet, .contactRemoved, .contentSet: break
        }
    }
}

/// The phone of a citizen gets a push with the result of a call for help (source 4, UC-9 and UC-11): each result once, and none where the
/// phone takes no pushes.
public struct TellCitizen: Command {
    public let id: SOSID
    public let result: SOSResult
    public let message: AlertMessage

    public init(of id: SOSID, _ result: SOSResult, saying message: AlertMessage) {
        (self.id, self.result, self.message) = (id, result, message)
    }

    public typealias Refusal = SOSRefusal

    /// What the decision goes by.
    public struct State {
        let sos: SOS
        let isTold: Bool
        let device: Device?
    }

    public var subject: Subject { .sos(id) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let sos = try ledger.read(SOS.self, id)
        return State(
            sos: sos,
            isTold: try ledger.read(ContactAlerts.self, .sos(id)).alerts
                .contains { $0.template == result.rawValue },
            device: try sos.device.map { try ledger.read(Device.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let raised = state.sos.raised else { throw .unknown(id) }
        guard !state.sos.isOver(at: context.now) else { throw .over(id) }
        guard !state.isTold, let device = state.device, device.push != nil,
            device.validPerson == raised.person
        else { return .already(()) }
        let queued = AlertQueued(
            cause: .sos(id),
            severity: .critical,
            template: result.rawValue,
            contact: raised.person,
            push: device.id,
            message: .open(message, of: raised.person),
            deduplicationKey: result.rawValue,
            timeToLiveSeconds: 3_600
        )
        return .record([.alert(context.newID(), .queued(queued))])
    }
}
