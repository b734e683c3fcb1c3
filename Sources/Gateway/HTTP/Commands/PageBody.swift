// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import NIOCore
import Projections

/// Rows of a list, and where the next page begins.
struct PageBody<Item: Encodable>: Encodable {
    let items: [Item]
    /// The value of `before` or `after` for the next page; absent on the last.
    var next: String?
}

extension Response {
    /// A page of a list as JSON, row for row, until it has as many bytes as a page may; then its cursor goes on behind the last
    /// row that it shows.
    ///
    /// - Parameters:
    ///   - page: The rows that may be shown.
    ///   - place: Where a row stands, for the cursor.
    ///   - show: How a row is shown.
    /// - Returns: An answer such as ``PageBody``, with a row at least if there is any.
    /// - Throws: What showing throws.
    static func list<Row>(
        _ page: FullPage<Row>,
        at place: (Row) -> LogPosition,
        _ show: (Row) throws -> some Encodable
    ) throws -> Response {
        let encoder = JSONBody.encoder
        var (body, separator, next) = (ByteBuffer(string: #"{"items":["#), "", page.next)
        for (number, row) in page.rows.enumerated() {
            body.writeString(separator)
            body.writeBytes(try encoder.encode(show(row)))
            separator = ","
            guard body.readableBytes < GatewayLimits.pageBytes else {
                if number + 1 < page.rows.count { next = place(row) }
                break
            }
        }
        body.writeString("]" + (next.map { #","next":"\#($0)""# } ?? "") + "}")
        return Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: body)
        )
    }
}

/// A page of what its reader may see, as long as was asked for, unless there is no more.
///
/// Read models filter by ``Scope``; what only the log knows yet, such as the claim of a moment ago, or what another
/// model's rows decide, is left out here. Both the length of a page and its cursor are made of what is shown alone, so that
/// neither tells of what is not: an empty page with a next one would answer any question about what is private.
struct FullPage<Row> {
    let rows: [Row]
    /// The place of the last row, if more is to be seen behind it.
    let next: LogPosition?

    init(rows: [Row], next: LogPosition?) {
        self.rows = rows
        self.next = next
    }

    /// Fetches rows until the page is full and one more was seen.
    ///
    /// - Parameters:
    ///   - limit: How many rows make a page.
    ///   - start: The cursor that came with the request.
    ///   - place: Where a row stands, for the cursor.
    ///   - bytes: About how many bytes a row has: a page that has as many as one may ends there, too.
    ///   - fetch: Gives the rows before a place, newest first, at most so many.
    ///   - admits: Whether the reader may see a row.
    /// - Throws: What fetching and asking throw.
    init(
        _ limit: Int,
        before start: LogPosition?,
        at place: (Row) -> LogPosition,
        weighing bytes: (Row) -> Int = { _ in 0 },
        fetching fetch: (LogPosition?, Int) async throws -> [Row],
        admitting admits: (Row) throws -> Bool
    ) async throws {
        try await self.init(limit, before: start, at: place, weighing: bytes) { before, count in
            let page = try await fetch(before, count)
            return (try page.filter(admits), page.count == count ? page.last.map(place) : nil)
        }
    }

    /// Looks for rows until the page is full and one more was seen.
    ///
    /// - Parameters:
    ///   - limit: How many rows make a page.
    ///   - start: The cursor that came with the request.
    ///   - place: Where a row stands, for the cursor.
    ///   - bytes: About how many bytes a row has: a page that has as many as one may ends there, too.
    ///   - look: Looks at so many before a place, newest first. Gives those that are to be shown, and the place of the last that
    ///     it looked at; none where nothing is left to look at.
    /// - Throws: What looking throws.
    init(
        _ limit: Int,
        before start: LogPosition?,
        at place: (Row) -> LogPosition,
        weighing bytes: (Row) -> Int = { _ in 0 },
        looking look: (LogPosition?, Int) async throws -> (shown: [Row], through: LogPosition?)
    ) async throws {
        let count = min(limit + 1, ProjectionLimits.listRowsMax)
        var (found, before, isMore) = ([Row](), start, true)
        var (most, weight) = (limit, 0)
        while found.count <= most, isMore {
            let (shown, through) = try await look(before, count)
            for row in shown {
                // What goes beyond is one row, which says that there is more.
                if weight >= GatewayLimits.pageBytes { most = min(most, found.count) }
                guard found.count <= most else { break }
                found.append(row)
                weight += bytes(row)
            }
            before = through ?? before
            isMore = through != nil
        }
        rows = Array(found.prefix(most))
        next = found.count > most ? rows.last.map(place) : nil
    }

    /// The same for rows that are fetched oldest first, behind a place.
    init(
        _ limit: Int,
        after start: LogPosition?,
        at place: (Row) -> LogPosition,
        weighing bytes: (Row) -> Int = { _ in 0 },
        fetching fetch: (LogPosition?, Int) async throws -> [Row],
        admitting admits: (Row) throws -> Bool
    ) async throws {
        // Which way the places run is the fetching's alone.
        try await self.init(
            limit,
            before: start,
            at: place,
            weighing: bytes,
            fetching: fetch,
            admitting: admits
        )
    }
}
