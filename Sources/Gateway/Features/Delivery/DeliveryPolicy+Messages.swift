// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation

/// What the messages of an alert are, channel by channel.
extension DeliveryPolicy {
    /// A repeated e-mail is the same bytes under the same Message-ID, so that a mail server, or a reader, can tell.
    func mail(
        _ message: AlertMessage,
        to address: String,
        of errand: Errand,
        _ password: String?
    ) async throws -> DeliveryAnswer {
        let settings = errand.settings
        guard MailAddress.isUsable(address) else { return .refused("the address is none") }
        let domain = settings.from.split(separator: "@").last.map(String.init) ?? "localhost"
        let mail = MailMessage(
            from: settings.from,
            fromName: ledger.centreName,
            to: address,
            subject: message.subject,
            text: message.text,
            messageID: "\(errand.alert).email@\(domain)",
            date: errand.queued.time.date
        )
        let server = MailServer(
            host: settings.host,
            port: settings.port,
            security: settings.security,
            login: settings.user.map { ($0, password ?? "") },
            trustRoots: ledger.configuration.push.trustRoots,
            helloName: domain
        )
        return try await server.send(mail, to: [address])[address]
            ?? .later("the mail server said nothing of the recipient")
    }

    /// To each browser of a member of staff; one that takes it is enough.
    func push(
        _ message: AlertMessage,
        of errand: Errand,
        _ keys: any PersonKeys
    ) async throws -> DeliveryAnswer {
        guard let user = errand.content.browser else { return .refused("there is no browser") }
        let body = try JSONBody.encoder.encode(
            BrowserMessage(
                message,
                code: ledger.deliverySecrets.answerCode(errand.alert),
                about: errand.content.cause,
                asks: !["sender-test", "report", "report-nearby", "report-unanswered"].contains(
                    errand.content.template
                )
            )
        )
        let life = errand.queued.time + .seconds(errand.content.timeToLiveSeconds) - ledger.now
        var answer: DeliveryAnswer?
        for browser in try ledger.handler.current(Reach.self, user).browsers {
            guard let target = try browser.target?.opened(with: keys).value else { continue }
            let said = try await pushSender.send(
                body,
                to: PushSubscription(
                    id: ledger.newID(),
                    device: ledger.newID(),
                    endpoint: target.endpoint,
                    receiver: PushReceiver(p256dh: target.p256dh, auth: target.auth)
                ),
                secondsToLive: max(0, Int(life / .seconds(1))),
                topic: String(ledger.deliverySecrets.answerCode(errand.alert).prefix(22))
            )
            if case .gone = said { try await forget(browser, of: user, because: errand) }
            answer = DeliveryAnswer.better(answer, DeliveryAnswer(said))
        }
        return answer ?? .refused("no browser takes notifications any more")
    }

    var pushSender: PushSender {
        let push = ledger.configuration.push
        let clock = ledger.configuration.clock
        return PushSender(
            identity: ledger.pushIdentity,
            reach: push.reach,
            timeLimit: push.timeLimit,
            trustRoots: push.trustRoots,
            now: { Int(clock.now().microseconds / 1_000_000) }
        )
    }

    private func forget(_ browser: BrowserSet, of user: UserID, because errand: Errand) async throws
    {
        try await ledger.handle(
            SetBrowser(of: user, browser.browser, to: nil),
            of: Self.name,
            because: errand.queued,
            step: "browser-\(browser.browser)"
        )
    }
}

/// What a browser of a member of staff is told.
struct BrowserMessage: Encodable, Hashable {
    let title: String
    let body: String
    /// Opened by a press on it.
    let url: String
    /// Answers it, by `POST /v1/answers/{answer}`; absent where nothing is asked.
    let answer: String?
    /// A newer message with the same one replaces it.
    let tag: String

    init(_ message: AlertMessage, code: String, about cause: Subject?, asks: Bool) {
        url = cause?.category == "report" ? "/rescue/\(cause?.name ?? "")" : "/duty"
        title = message.subject
        let text = message.text.split(separator: "\n").filter { !$0.contains(code) }
        body = String(text.joined(separator: "\n").prefix(Self.bodyCharacters))
        (answer, tag) = (asks ? code : nil, String(code.prefix(22)))
    }

    /// What fits into a push, whatever its letters.
    private static let bodyCharacters = 400
}

extension DeliveryAnswer {
    init(_ answer: PushSender.Answer) {
        self =
            switch answer {
            case .taken(let receipt): .sent(receipt: receipt)
            case .gone(let status): .refused("the push service answered \(status)")
            case .refused(let why): .refused(why)
            case .busy(let why, _): .later(why)
            }
    }

    /// Of two answers the one after which less is to be done.
    static func better(_ one: DeliveryAnswer?, _ other: DeliveryAnswer) -> DeliveryAnswer {
        switch (one, other) {
        case (.sent(let receipt), _): .sent(receipt: receipt)
        case (.later(let why), .refused): .later(why)
        default: other
        }
    }
}

extension SenderSettings {
    /// How pushes to browsers leave: there is nothing to set up.
    static let browsers = SenderSettings(
        isOn: true,
        host: "",
        port: 0,
        security: .tls,
        from: "",
        perMinute: 600
    )
}

extension Ledger {
    /// Whether nobody need be told of an alert any more: it was answered, or the call-out of which it tells is over.
    func isAnswered(_ alert: Alert) throws -> Bool {
        if alert.isAcknowledged { return true }
        guard let id = alert.callOut, let ended = try handler.current(CallOut.self, id).ended else {
            return false
        }
        return ended.end != .exhausted
    }

    /// What an alert says, with the link that answers it.
    func message(of errand: DeliveryPolicy.Errand, _ keys: any PersonKeys) throws -> AlertMessage {
        let message =
            try errand.content.message?.opened(with: keys).value
            ?? message(errand.content.template, errand.content.severity)
        let link = "\(publicAddress)/a/\(deliverySecrets.answerCode(errand.alert))"
        return AlertMessage(
            subject: message.subject,
            text: message.text.replacing(Wording.answerMark, with: link)
        )
    }

    /// Where people reach the pages.
    var publicAddress: String {
        configuration.site.publicAddress ?? "https://\(log.origin)"
    }
}
