// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections

/// Tells phones by Web Push that the centre asks: an opened session, a request, a message that did not arrive.
///
/// What is to be told becomes an alert in the ledger; each attempt is on disk before the push service is contacted, its
/// end behind it. Nothing waits for a push service but the attempt itself. An attempt that a crash left without an end is
/// *unknown*; the rule of this channel is that it is made again only while what it tells of is still open.
struct PushPolicy: Sendable {
    /// Permanent: actor, subject and command ids are made of it.
    static let name = "push"
    /// As `/readyz` has it.
    static let part = "policy push"
    let ledger: Ledger
    /// The attempts of this process; what is under way and not among them was left by another one.
    let attempts = AttemptsUnderWay()

    /// What `policy.enabled` says.
    static func settings(_ configuration: PushConfiguration) -> [String: Int] {
        [
            "attempts": PushLimits.attempts,
            "chatGraceSeconds": Int(configuration.chatGrace / .seconds(1)),
        ]
    }

    /// Looks and delivers until the gateway stops; what is on its way then is waited for.
    func run() async throws {
        let start = try ledger.start(ofPolicy: Self.name)
        await LookLoop.run(
            ledger,
            at: [.category("session"), .category("alert"), .category("device")]
        ) {
            await look(behind: start)
        } run: {
            await deliver($0)
        }
    }

    /// Queues what is due, and chooses the deliveries that begin now.
    private func look(behind start: LogPosition) async -> [PushErrand] {
        do {
            let busy = attempts.alerts
            if let last = ledger.log.size.checkedPrevious {
                try await ledger.readModels.runner.wait(for: last, on: "pushes")
            }
            try await queue(behind: start)
            var chosen: [PushErrand] = []
            for row in try await ledger.readModels.pushes.open(at: ledger.now)
            where !busy.contains(row.alert) {
                let errand = try await ledger.unlessDamaged { try await ledger.errand(row) }
                guard let delivery = errand ?? nil else { continue }
                if delivery.isUnderWay {
                    try await giveUpUnknown(delivery)
                } else if attempts.begin(delivery) {
                    chosen.append(delivery)
                }
            }
            ledger.standings.recover(Self.part)
            return chosen
        } catch {
            report(error)
            return []
        }
    }

    private func queue(behind start: LogPosition) async throws {
        let now = ledger.now
        let push = ledger.configuration.push
        let messages = (now - PushDelivery.chatLife)...(now - push.chatGrace)
        var page: [DuePush] = []
        repeat {
            page = try await ledger.readModels.pushes.due(
                at: now,
                messages: messages,
                behind: page.last
            )
            for due in page {
                try await ledger.unlessDamaged { try await queue(due, behind: start) }
            }
        } while page.count == DuePush.pageRows
    }

    private func queue(_ due: DuePush, behind start: LogPosition) async throws {
        let session = try await ledger.handler.settled(Session.self, due.session)
        let device = try await ledger.handler.settled(Device.self, due.device)
        // Of a phone that is not to be told nothing is asked again and again.
        guard let cause = session.event(behind: QueuePush.Cause(due.cause)),
            cause.position > start,
            try device.mayBeTold(of: session, { try ledger.handler.current(Device.self, $0) })
        else { return }
        let command = QueuePush(
            to: due.device,
            about: QueuePush.Cause(due.cause),
            in: due.session,
            chatLife: PushDelivery.chatLife
        )
        try await ledger.handle(
            command,
            of: Self.name,
            because: cause,
            step: "queue-\(due.device)"
        )
    }

    /// Whoever began the attempt is gone: nobody knows whether the push service has the message.
    private func giveUpUnknown(_ delivery: PushErrand) async throws {
        let end = AlertFailed(
            channel: .push,
            attempt: delivery.attempts + 1,
            permanence: .unknown,
            error: "the gateway ended during the attempt"
        )
        _ = try await record(RecordAlertAttempt(delivery.alert, .failed(end)), of: delivery, "end")
    }
}

extension PushPolicy {
    /// A fault must not end the gateway: the rows are looked at again.
    func report(_ error: any Error) {
        guard !(error is CancellationError), !ledger.log.isClosed else { return }
        switch error {
        case is ReadModelError:
            ledger.logger.debug("pushes wait", metadata: ["reason": "\(error)"])
        default:
            guard ledger.standings.fail(Self.part, Fault(error)) else { return }
            ledger.logger.error("a push could not go on", metadata: ["error": "\(error)"])
        }
    }

    /// Records a step of a delivery, once.
    ///
    /// - Returns: Whether it is new; not if it was recorded before, or was overtaken.
    func record(
        _ command: some Command,
        of delivery: PushErrand,
        _ step: String
    ) async throws -> Bool {
        let attempt = delivery.attempts + 1
        let context = ledger.context(
            actor: .policy(Self.name),
            organisation: delivery.organisation,
            command: CommandID(unchecked: "\(Self.name)~\(delivery.event)~\(step)-\(attempt)"),
            causation: delivery.event
        )
        do {
            let receipt = try await ledger.handler.handle(command, context).receipt
            return receipt.map { !$0.repeated } ?? false
        } catch let refusal as any CommandRefusal {
            ledger.logger.debug("push overtaken", metadata: ["reason": "\(refusal)"])
            return false
        }
    }
}

extension PushDelivery {
    /// How long a message of the centre is worth telling of.
    static let chatLife = Duration.seconds(3_600)
}

extension QueuePush.Cause {
    /// What the row tells of.
    init(_ cause: PushCause) {
        self =
            switch cause {
            case .opening: .opening
            case .request(let request): .request(request)
            case .message(let message): .message(message)
            }
    }
}
