// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The routes by which other centres follow our call-outs: a feed, and a document of the Common Alerting Protocol for each
/// opening and each end.
///
/// What is about a caller stands there only where the site says so, and so do the words of who called.
struct CommonAlertRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/cap", for: Self.readers, feed),
            Route(.get, "/v1/cap/:name", for: Self.readers, reads: "common-alert", document),
        ]
    }

    private static let readers: Askers = [.supervisor, .organisationAdmin, .admin, .service]
    /// Call-outs that the feed has; older ones have left it.
    private static let shown = 100

    /// One message: that a call-out was opened, or that it is over.
    private struct Message {
        let callOut: CallOut
        let opened: CallOutOpened
        let cause: Cause
        let isEnd: Bool
        let time: Timestamp

        var name: String { isEnd ? "\(callOut.id)-end" : "\(callOut.id)" }
        var title: String { (isEnd ? "Over: " : "Call-out: ") + opened.chain }
    }

    private func feed(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "alert-queue")
        let rows = try await ledger.readModels.alerts.callOuts(
            in: principal.scope,
            limit: Self.shown
        )
        let messages = try rows.flatMap { try self.messages(of: $0.id) }
        let base = ledger.publicAddress
        guard let own = URL(string: "\(base)/v1/cap") else {
            throw Problem(.internalError, detail: "--public-address is no address; correct it")
        }
        let feed = AlertFeed(
            id: own.absoluteString,
            title: "\(ledger.centreName): call-outs",
            selfLink: own,
            updated: (messages.map(\.time).max() ?? ledger.now).date,
            entries: messages.map { message in
                AlertFeed.Entry(
                    id: "urn:uuid:\(message.callOut.id)" + (message.isEnd ? "#end" : ""),
                    title: message.title,
                    updated: message.time.date,
                    published: message.time.date,
                    author: ledger.centreName,
                    link: own.appending(path: message.name)
                )
            }
        )
        return Self.response(feed.xml, AlertFeed.mediaType)
    }

    private func document(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let name = context.parameters.get("name") ?? ""
        let unknown = Problem(.notFound, detail: "there is no such message; look at the feed")
        guard let id = CallOutID(String(name.prefix(36))) else { throw unknown }
        try ledger.rights.requireThere(.callOut(id), for: principal)
        guard let message = try messages(of: id).first(where: { $0.name == name }) else {
            throw unknown
        }
        let keys = try await ledger.keys(toRead: .callOut(id), context, fields: ["text", "fix"])
        let alert = try self.alert(message, keys)
        if let fault = alert.fault() { throw Problem(.internalError, detail: fault.words) }
        return Self.response(alert.xml, CommonAlert.mediaType)
    }

    private static func response(_ bytes: Data, _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: .init(bytes: bytes))
        )
    }

    /// What others may know of a call-out, oldest first.
    private func messages(of id: CallOutID) throws -> [Message] {
        let callOut = try ledger.handler.current(CallOut.self, id)
        guard let opened = callOut.opened, let cause = callOut.cause,
            ledger.configuration.site.sharesDistress || !isDistress(opened.cause)
        else { return [] }
        let end = callOut.endedAt.map { (true, $0) }
        return ([(false, cause.time)] + (end.map { [$0] } ?? [])).map { isEnd, time in
            Message(callOut: callOut, opened: opened, cause: cause, isEnd: isEnd, time: time)
        }
    }

    /// Whether something is about a caller: all but a guard's alarm, and what is about nothing in the ledger.
    private func isDistress(_ cause: Subject?) -> Bool {
        cause.map { $0.category != "guard_alarm" } ?? false
    }

    private func alert(_ message: Message, _ keys: ReadingKeys) throws -> CommonAlert {
        let (opened, id) = (message.opened, message.callOut.id)
        let sender = "\(ledger.log.origin)"
        var alert = CommonAlert(
            identifier: message.name,
            sender: sender,
            sent: message.time.date,
            status: ledger.isDemo ? .exercise : .actual,
            msgType: message.isEnd ? .cancel : .alert,
            scope: .restricted,
            restriction: "for those to whom \(ledger.centreName) gave access"
        )
        if message.isEnd {
            alert.references = [
                .init(sender: sender, identifier: "\(id)", sent: message.cause.time.date)
            ]
        }
        var info = CommonAlert.Info(
            language: "en",
            categories: [isAlarm(opened.cause) ? .security : .rescue],
            event: message.title,
            responseTypes: message.isEnd ? [.allClear] : [.assess],
            urgency: message.isEnd ? .past : Self.urgency(opened.severity),
            severity: Self.severity(opened.severity),
            certainty: .observed
        )
        info.expires = (message.time + .seconds(86_400)).date
        info.senderName = ledger.centreName
        info.headline = "\(ledger.centreName): \(message.title)"
        if ledger.configuration.site.sharesDistress {
            info.description = try opened.text?.opened(with: keys).value
        }
        if let ended = message.callOut.ended, message.isEnd {
            info.parameters = [.init(name: "end", value: ended.end.rawValue)]
        }
        info.areas = try area(of: opened.cause, keys).map { [$0] } ?? []
        alert.infos = [info]
        return alert
    }

    private func isAlarm(_ cause: Subject?) -> Bool { cause?.category == "guard_alarm" }

    /// Where a guard called from, if the phone knew it.
    private func area(of cause: Subject?, _ keys: ReadingKeys) throws -> CommonAlert.Area? {
        guard let cause, isAlarm(cause),
            let entry = try ledger.log.entries(of: cause, limit: 1).first,
            case .patrol(.guardAlarmRaised(let raised)) = try EventDecoder().decode(entry).fact,
            let fix = try raised.fix?.opened(with: keys).value
        else { return nil }
        let centre = CommonAlert.Point(latitude: fix.latitude, longitude: fix.longitude)
        let radius = min((fix.accuracyMetres ?? 0) / 1_000, CommonAlert.radiusKilometresMax)
        return CommonAlert.Area(
            description: "where the guard called from",
            circles: [.init(centre: centre, radiusKilometres: radius)]
        )
    }

    private static func urgency(_ severity: AlertQueued.Severity) -> CommonAlert.Urgency {
        switch severity {
        case .critical: .immediate
        case .warning: .expected
        case .info: .future
        }
    }

    private static func severity(_ severity: AlertQueued.Severity) -> CommonAlert.Severity {
        switch severity {
        case .critical: .severe
        case .warning: .moderate
        case .info: .minor
        }
    }
}
