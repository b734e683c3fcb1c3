// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import Commands
import Events
import Foundation
import Logging
import NIOCore
import NIOSSL
import Projections
import Synchronization
import Threads

/// Sends the SMS and the e-mail of alerts, part by part, until each went out or failed for good (source 4, UC-12 and UC-13).
///
/// An attempt is on disk before anybody outside is contacted, and its end after it. An attempt that a crash left without an end is *unknown*: an
/// e-mail goes again under the same Message-ID, an SMS only once the message centre had time to report that it has it.
struct DeliveryPolicy: Sendable {
    /// Permanent: actor, subject and command ids are made of it.
    static let name = "delivery"
    /// As `/readyz` has it.
    static let service = "policy delivery"
    /// Of pushes to phones those about a citizen's call for help; the others are ``PushPolicy``'s.
    static let channels: [AlertChannel] = [.email, .sms, .browser, .push]

    /// As `/readyz` has it.
    static func part(_ channel: AlertChannel) -> String { "sender \(channel.rawValue)" }

    let ledger: Ledger
    /// What this process is sending; what is under way and not among it was left by another one.
    private let underWay = PartsUnderWay()

    init(ledger: Ledger) { self.ledger = ledger }

    /// One part of an alert, as the log has it: what is sent and recorded follows from this, not from a row.
    struct Errand: Sendable {
        let alert: AlertID
        let channel: AlertChannel
        let content: AlertQueued
        let queued: Cause
        /// The next attempt, from 1.
        let attempt: Int
        let settings: SenderSettings
    }

    /// Looks and sends until the gateway stops.
    func run() async throws {
        let start = try ledger.start(ofPolicy: Self.name)
        await tellCitizens()
        for channel in Self.channels { ledger.standings.begin(Self.part(channel), .toKeepHouse) }
        try await HTTPClient.withHTTPClient(configuration: try httpConfiguration()) { client in
            await LookLoop.run(ledger, at: [.category("alert"), .category("sender")]) {
                await look(after: start)
            } run: {
                await deliver($0, client)
            }
        }
    }

    private func httpConfiguration() throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(DeliveryLimits.answerWait))
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        if let roots = ledger.configuration.push.trustRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(roots)
            configuration.tlsConfiguration = tls
        }
        return configuration
    }

    // MARK: - Looking

    private func look(after start: LogPosition) async -> [Errand] {
        do {
            if let last = ledger.log.size.checkedPrevious {
                try await ledger.readModels.runner.wait(for: last, on: "alert-queue")
            }
            let now = ledger.now
            for alert in try await ledger.readModels.alerts.expired(at: now, after: start) {
                try await ledger.unlessDamaged { try await expire(alert) }
            }
            var chosen: [Errand] = []
            for channel in Self.channels {
                chosen += try await due(by: channel, at: now, after: start)
            }
            ledger.standings.recover(Self.service)
            return chosen
        } catch {
            report(error)
            return []
        }
    }

    private func due(
        by channel: AlertChannel,
        at now: Timestamp,
        after start: LogPosition
    ) async throws -> [Errand] {
        guard let (settings, setAt) = try sender(channel), settings.isOn else { return [] }
        let reports = channel == .sms && settings.reportsTo != nil
        let alerts = try await ledger.readModels.alerts.due(
            by: channel,
            at: now,
            after: start,
            setAt: setAt ?? now,
            awaitingReportSince: reports ? now - DeliveryLimits.reportWait : now,
            perContact: DeliveryLimits.messagesPerContact,
            since: now - DeliveryLimits.contactInterval
        )
        var chosen: [Errand] = []
        for alert in alerts where !underWay.has(alert, channel) {
            let found = try await ledger.unlessDamaged {
                try await errand(alert, channel, settings)
            }
            guard let (errand, isUnderWay) = found ?? nil else { continue }
            if isUnderWay {
                try await end(errand, .unknown("the gateway ended during the attempt"))
                continue
            }
            guard underWay.begin(errand) else { break }
            chosen.append(errand)
        }
        return chosen
    }

    /// How a channel's messages leave; browsers take pushes without any setting up.
    private func sender(_ channel: AlertChannel) throws -> (SenderSettings, setAt: Timestamp?)? {
        if [.browser, .push].contains(channel) { return (.browsers, nil) }
        let sender = try ledger.handler.current(MessageSender.self, channel)
        return sender.settings.map { ($0, sender.setAt) }
    }

    /// What a row names, if the log has it so and it is due.
    private func errand(
        _ id: AlertID,
        _ channel: AlertChannel,
        _ settings: SenderSettings
    ) async throws -> (Errand, isUnderWay: Bool)? {
        let alert = try await ledger.handler.settled(Alert.self, id)
        guard let content = alert.content, let queued = alert.queued,
            let part = alert.parts[channel], !part.isSent, !part.isGivenUp,
            channel != .push || alert.sos != nil,
            try part.isUnderWay || !ledger.isAnswered(alert)
        else { return nil }
        let errand = Errand(
            alert: id,
            channel: channel,
            content: content,
            queued: queued,
            attempt: part.attempts + 1,
            settings: settings
        )
        return (errand, part.isUnderWay)
    }

    /// An alert whose time is over is not worth sending; what is on its way ends by itself.
    private func expire(_ id: AlertID) async throws {
        let alert = try await ledger.handler.settled(Alert.self, id)
        guard let content = alert.content, let queued = alert.queued,
            alert.expiresAt.map({ $0 <= ledger.now }) ?? false
        else { return }
        for (channel, part) in alert.parts
        where channel != .push && !part.isSent && !part.isGivenUp && !underWay.has(id, channel) {
            let errand = Errand(
                alert: id,
                channel: channel,
                content: content,
                queued: queued,
                attempt: part.attempts + 1,
                settings: .browsers
            )
            let why =
                part.isUnderWay
                ? "its time is over; whether the attempt that had begun arrived is not known"
                : "it could not be sent in time"
            try await end(errand, .refused(why))
        }
    }

    // MARK: - Sending

    private func deliver(_ errand: Errand, _ client: HTTPClient) async {
        defer { underWay.end(errand) }
        do {
            let begin = BeginAlertAttempt(errand.alert, by: errand.channel, attempt: errand.attempt)
            guard try await record(begin, of: errand, "begin") else { return }
            try await end(errand, try await send(errand, client))
            if let sos = SOSID(of: errand.content.cause), errand.channel != .push {
                try await tellCitizen(sos)
            }
        } catch {
            report(error)
        }
    }

    private func send(_ errand: Errand, _ client: HTTPClient) async throws -> DeliveryAnswer {
        let keys = ledger.keys.unrecorded(.delivered)
        let message = try ledger.message(of: errand, keys)
        var password: String?
        if let secret = errand.settings.secret {
            password = ledger.deliverySecrets.password(secret)
            guard password != nil else {
                return .misconfigured("the password does not open with the master key; set it anew")
            }
        }
        switch errand.channel {
        case .sms:
            guard let number = try errand.content.sms?.opened(with: keys).value else {
                return .refused("the contact was erased")
            }
            let centre = MessageCentre(
                settings: errand.settings,
                password: password,
                client: client
            )
            let code = ledger.deliverySecrets.reportCode(errand.alert, attempt: errand.attempt)
            return try await centre.send(
                ShortMessage(message.text),
                to: number,
                report: .init(alert: errand.alert, attempt: errand.attempt, code: code)
            )
        case .email:
            guard let address = try errand.content.email?.opened(with: keys).value else {
                return .refused("the contact was erased")
            }
            return try await mail(message, to: address, of: errand, password)
        case .browser: return try await push(message, of: errand, keys)
        case .push: return try await pushToCitizen(message, of: errand)
        case .link: return .refused("this goes another way")
        }
    }

    // MARK: - Ends

    func end(_ errand: Errand, _ answer: DeliveryAnswer) async throws {
        let part = Self.part(errand.channel)
        switch answer {
        case .sent(let receipt):
            ledger.standings.recover(part)
            let sent = AlertSent(
                channel: errand.channel,
                attempt: errand.attempt,
                providerID: receipt
            )
            _ = try await record(RecordAlertAttempt(errand.alert, .sent(sent)), of: errand, "end")
        case .later(let why):
            try await fail(errand, .temporary, why, again: pause(after: errand.attempt))
        case .refused(let why): try await fail(errand, .permanent, why, again: nil)
        case .misconfigured(let why):
            if ledger.standings.fail(part, Fault(code: "misconfigured", words: why)) {
                ledger.logger.error(
                    "a sender cannot send",
                    metadata: ["channel": "\(errand.channel.rawValue)", "reason": "\(why)"]
                )
            }
            try await fail(errand, .temporary, why, again: DeliveryLimits.misconfiguredRetry)
        case .unknown(let why):
            let again =
                errand.channel == .sms
                ? DeliveryLimits.unknownSMSRetry : pause(after: errand.attempt)
            try await fail(errand, .unknown, why, again: again)
        }
    }

    private func fail(
        _ errand: Errand,
        _ permanence: AlertFailed.Permanence,
        _ why: String,
        again: Duration?
    ) async throws {
        let failed = AlertFailed(
            channel: errand.channel,
            attempt: errand.attempt,
            permanence: permanence,
            error: String(why.prefix(300)),
            retryAfterSeconds: again.map { Int($0 / .seconds(1)) }
        )
        _ = try await record(RecordAlertAttempt(errand.alert, .failed(failed)), of: errand, "end")
    }

    /// Doubles with each attempt, and varies, so that what failed together does not come back together.
    private func pause(after attempt: Int) -> Duration {
        let doubled = DeliveryLimits.firstRetry * pow(2, Double(min(attempt, 12) - 1))
        return min(doubled, DeliveryLimits.retryMax) * Double.random(in: 0.8...1.2)
    }

    /// Records a step of an attempt, once.
    ///
    /// - Returns: Whether it is new; not if it was recorded before, or was overtaken.
    private func record(
        _ command: some Command,
        of errand: Errand,
        _ step: String
    ) async throws -> Bool {
        let (event, channel) = (errand.queued.event, errand.channel.rawValue)
        let context = ledger.context(
            actor: .policy(Self.name),
            organisation: errand.queued.organisation,
            command: CommandID(
                unchecked: "\(Self.name)~\(event)~\(channel)~\(step)-\(errand.attempt)"
            ),
            causation: event
        )
        do {
            let receipt = try await ledger.handler.handle(command, context).receipt
            return receipt.map { !$0.repeated } ?? false
        } catch let refusal as any CommandRefusal {
            ledger.logger.debug("a delivery was overtaken", metadata: ["reason": "\(refusal)"])
            return false
        }
    }

    /// A fault must not end the gateway: the rows are looked at again.
    func report(_ error: any Error) {
        guard !(error is CancellationError), !ledger.log.isClosed else { return }
        switch error {
        case is ReadModelError:
            ledger.logger.debug("deliveries wait", metadata: ["reason": "\(error)"])
        default:
            guard ledger.standings.fail(Self.service, Fault(error)) else { return }
            ledger.logger.error("a delivery could not go on", metadata: ["error": "\(error)"])
        }
    }
}

/// Which parts this process is sending: no more of a channel at once, and in a minute, than its limits.
private final class PartsUnderWay: Sendable {
    private struct Part: Hashable {
        let alert: AlertID
        let channel: AlertChannel
    }

    private struct State {
        var parts: Set<Part> = []
        var budgets: [AlertChannel: RateLimiter<ContinuousClock.Instant>] = [:]
    }

    private let state = Mutex(State())

    func has(_ alert: AlertID, _ channel: AlertChannel) -> Bool {
        state.withLock { $0.parts.contains(Part(alert: alert, channel: channel)) }
    }

    /// Takes a part up; not if its channel sends as much as it may.
    func begin(_ errand: DeliveryPolicy.Errand) -> Bool {
        let (channel, perSecond) = (errand.channel, Double(errand.settings.perMinute) / 60)
        // A minute's worth at once would be no limit of a minute.
        let rate = Rate(burst: max(1, perSecond * 10), perSecond: perSecond)
        return state.withLock { state in
            guard
                state.parts.count(where: { $0.channel == channel }) < DeliveryLimits.messagesAtOnce
            else { return false }
            var budget = state.budgets[channel] ?? RateLimiter(rate, at: .now)
            budget.rate = rate
            let wait = budget.takeOne(at: .now)
            state.budgets[channel] = budget
            guard wait == nil else { return false }
            return state.parts.insert(Part(alert: errand.alert, channel: channel)).inserted
        }
    }

    func end(_ errand: DeliveryPolicy.Errand) {
        _ = state.withLock { state in
            state.parts.remove(Part(alert: errand.alert, channel: errand.channel))
        }
    }
}
