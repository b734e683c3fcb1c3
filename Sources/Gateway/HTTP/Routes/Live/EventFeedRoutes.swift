// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Threads

/// The log as it grows: `GET /v1/events`, a line an entry, or server-sent events.
///
/// Entries byte for byte, filtered by what the reader may see. Resumes behind `Last-Event-ID` or
/// `?after=`; without either it begins at the beginning. `?follow=false` ends at the live end,
/// `?subject=` and `?type=` narrow it.
struct EventFeedRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/events", for: .readers, feed)
        ]
    }

    @Sendable private func feed(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let departure = try await departure(in: context)
        let feed = try feed(of: request, context, until: departure)
        let reader = feed.rights.reader
        let resource = Subject(unchecked: "feed/\(reader.org)")
        try await ledger.recordReading(of: resource, by: reader, for: "feed-opened")
        var headers: HTTPFields = [
            .contentType: feed.form.contentType, .cacheControl: "no-store",
        ]
        headers[.ledgerPosition] = ledger.log.size.checkedPrevious.map { "\($0)" }
        let ledger = ledger
        let seat = try context.seat()
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                defer { withExtendedLifetime(seat) {} }
                await feed.write(to: &writer)
                do {
                    try await ledger.recordReading(of: resource, by: reader, for: "feed-closed")
                } catch {
                    ledger.logger.error(
                        "a feed's end was not recorded",
                        metadata: ["error": "\(error)"]
                    )
                }
                try await writer.finish(nil)
            }
        )
    }

    private func feed(
        of request: Request,
        _ context: GatewayContext,
        until departure: Latch?
    ) throws -> EventFeed {
        let reader = try context.signedIn()
        guard reader.role.reach != .nothing else {
            throw Problem(.forbidden, detail: "your role reads no feed")
        }
        let wantsEvents = request.headers[.accept]?.contains("text/event-stream") ?? false
        return EventFeed(
            ledger: ledger,
            rights: FeedRights(reader: reader, rights: ledger.rights),
            form: wantsEvents ? .serverSentEvents : .lines,
            start: try start(of: request),
            isLive: request.text("follow") != "false",
            subject: try subject(in: request),
            kind: try kind(in: request),
            live: ledger.liveReader(reader),
            departure: departure,
            positionInterval: context.limits.feedPosition
        )
    }

    private func departure(in context: GatewayContext) async throws -> Latch? {
        guard let channel = context.channel else { return nil }
        return try await RequestWatch.departure(from: channel)
    }

    private func start(of request: Request) throws(Problem) -> LogPosition {
        if let text = request.headers[.lastEventID] {
            return try Cursor(text, "Last-Event-ID", in: ledger.log).following
        }
        return try request.cursor("after", in: ledger.log)?.following ?? LogPosition(0)
    }

    private func kind(in request: Request) throws(Problem) -> Kind? {
        guard let text = request.text("type") else { return nil }
        guard let kind = Kind(text) else {
            throw Problem(.malformedRequest, detail: "type is a kind such as session.created/1")
        }
        return kind
    }

    private func subject(in request: Request) throws(Problem) -> Subject? {
        guard let text = request.text("subject") else { return nil }
        guard let subject = Subject(text) else {
            throw Problem(.malformedRequest, detail: "subject is a name such as session/0199…")
        }
        return subject
    }
}
