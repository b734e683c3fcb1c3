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
        guard let number = UInt64(text) else {
            throw Problem(.malformedRequest, detail: "Daybook-After is the position of an event")
        }
        guard number < log.size else {
            throw Problem(
                .malformedRequest,
                detail: "Daybook-After is beyond the log; use the position that a command answered",
                facts: ["size": .string(String(log.size))]
            )
        }
        try await readModels.runner.wait(for: LogPosition(number), on: model)
    }
}

extension Ledger {
    /// Answers as it was at an earlier point, from the log alone.
    var asOf: AsOf { AsOf(EntrySource(log), keys: keys) }
}

extension Request {
    /// The point that `?asOf=` names: a position, or an RFC 3339 time.
    func asOf() throws(Problem) -> AsOf.Point? {
        guard let text = text("asOf") else { return nil }
        guard let point = AsOf.Point(text) else {
            throw Problem(
                .malformedRequest,
                detail: "asOf is a position or an RFC 3339 time such as 2026-11-21T13:11:00Z"
            )
        }
        return point
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
    /// A number in the query.
    ///
    /// - Throws: 400 for anything else, or a number outside the range.
    func number(
        _ name: String,
        default standard: Int,
        in range: ClosedRange<Int>
    ) throws(Problem) -> Int {
        guard let text = uri.queryParameters[Substring(name)] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) is a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// A position in the query.
    func position(_ name: String) throws(Problem) -> LogPosition? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = UInt64(text) else {
            throw Problem(.malformedRequest, detail: "\(name) is the position of an event")
        }
        return LogPosition(number)
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

/// Rows of a list, and where the next page begins.
struct PageBody<Item: Encodable>: Encodable {
    let items: [Item]
    /// The value of `before` or `after` for the next page; absent on the last.
    var next: String?
}
