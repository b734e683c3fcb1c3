// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import Projections

/// What queries share: waiting for one's own writes, ids in paths, and answers in JSON.
extension Ledger {
    /// Waits until a read model shows what `Daybook-After` asks for, at most 5 s.
    ///
    /// - Throws: `ReadModelError.behind`, which answers 503 with `Retry-After`.
    func awaitLevel(_ request: Request, of model: String) async throws {
        guard let text = request.headers[.ledgerAfter] else { return }
        guard let shown = try Cursor(text, "Daybook-After", in: log).last else { return }
        try await readModels.runner.wait(for: shown, on: model)
    }
}

extension Request {
    /// The point that `?asOf=` names: a position, or an RFC 3339 time.
    ///
    /// - Throws: 400 for anything else, for a place beyond the log, and for a time that has not come yet.
    func asOf(in log: EventLog) throws(Problem) -> AsOf.Point? {
        guard let text = text("asOf") else { return nil }
        switch AsOf.Point(text) {
        case .position(let position):
            return .position(try Cursor(position, "asOf", in: log).position)
        case .time(let time):
            let now = log.clock.now
            guard time <= now else {
                throw Problem(
                    .malformedRequest,
                    detail:
                        "asOf is in the future: it is \(now) here; ask for a time up to now, or without asOf for the present",
                    facts: ["now": .string("\(now)")]
                )
            }
            return .time(time)
        case nil:
            throw Problem(
                .malformedRequest,
                detail: "asOf is a position or an RFC 3339 time such as 2026-11-21T13:11:00Z"
            )
        }
    }
}

extension GatewayContext {
    /// The id in the path.
    ///
    /// - Throws: 404 for a text that is no id: nothing has it.
    func id<Named>(_ name: String = "id") throws(Problem) -> Identifier<Named> {
        guard let id = parameters.get(name).flatMap({ Identifier<Named>($0) }) else {
            throw Problem(.notFound, detail: "ids are lower-case UUIDs of version 7; check it")
        }
        return id
    }
}

extension Request {
    /// A whole number in the query; `nil` where there is none.
    ///
    /// - Throws: 400 for anything else, or a number outside the range.
    func number<Number: FixedWidthInteger>(
        _ name: String,
        in range: ClosedRange<Number>
    ) throws(Problem) -> Number? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = NumberText.whole(text, in: range) else {
            throw Problem(
                .malformedRequest,
                detail:
                    "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The same with a number for those who name none.
    func number(
        _ name: String,
        default standard: Int,
        in range: ClosedRange<Int>
    ) throws(Problem) -> Int {
        try number(name, in: range) ?? standard
    }

    /// A position in the query, and what it means in the log as it is.
    func cursor(_ name: String, in log: EventLog) throws(Problem) -> Cursor? {
        guard let text = text(name) else { return nil }
        return try Cursor(text, name, in: log)
    }

    /// A text in the query.
    func text(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map { String($0) }
    }

    /// One of some words in the query.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Word? where Word.RawValue == String {
        guard let text = text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.malformedRequest, detail: "\(name) is one of \(words)")
        }
        return word
    }
}

extension Response {
    /// A value as JSON, not to be cached; `revision` is that of the subject which it shows.
    static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok,
        revision: Revision? = nil
    ) throws -> Response {
        let data = try JSONBody.encoder.encode(value)
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        headers[.eTag] = revision?.entityTag
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }
}
