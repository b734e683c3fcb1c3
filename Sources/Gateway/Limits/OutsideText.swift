// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// What every text from outside is held to before anybody reads it: heads of requests, bodies and frames of JSON (decision 0071).
///
/// A `String` is compared and hashed in its normal form, for which the marks behind a letter are put in order: of n in a row that
/// takes about n². No language needs more than a few; what is within this bound takes time in proportion to its length.
enum OutsideText {
    /// Combining marks in a row, as many as Stream-Safe Text has at most (UAX #15 §13).
    static let marksInRowMax = 30

    /// Refuses JSON that is not UTF-8, as JSON between systems is (RFC 8259 §8.1): in another encoding other bytes would be marks; and
    /// names that are none of ours, see ``MemberNames``.
    ///
    /// - Parameter bytes: A body or a frame, as it came.
    /// - Throws: 400 that names the fact.
    static func check(json bytes: some Sequence<UInt8>) throws(Problem) {
        var runs = MarkRuns(.json)
        var names = MemberNames()
        for byte in bytes {
            runs.take(byte)
            names.take(byte)
            guard runs.longest <= marksInRowMax else {
                throw Problem(.malformedJSON, detail: "a text \(tooMany)", facts: facts)
            }
        }
        guard runs.isText else {
            throw Problem(.malformedJSON, detail: "the body is not valid: JSON is UTF-8")
        }
        guard names.arePlain else {
            throw Problem(.malformedJSON, detail: "the name of a member is not plain ASCII")
        }
    }

    /// Whether JSON is what ``check(json:)`` lets pass.
    static func isSound(json bytes: some Sequence<UInt8>) -> Bool {
        do {
            try check(json: bytes)
            return true
        } catch {
            return false
        }
    }

    /// Refuses the head of a request.
    ///
    /// - Parameter head: Its address counts as what its escapes stand for.
    /// - Throws: 400 that names the fact.
    static func check(head: HTTPRequest) throws(Problem) {
        for case let text? in [head.scheme, head.authority, head.path] {
            try require(isSound(text.utf8, .percent), "the address")
        }
        for field in head.headerFields {
            let fits = field.withUnsafeBytesOfValue { isSound($0, .none) }
            try require(fits, "the field \(field.name.rawName)")
        }
    }

    private static func require(_ isSound: Bool, _ place: String) throws(Problem) {
        guard isSound else {
            throw Problem(.malformedRequest, detail: "\(place) \(tooMany)", facts: facts)
        }
    }

    private static func isSound(_ bytes: some Sequence<UInt8>, _ escapes: MarkRuns.Escapes) -> Bool
    {
        var runs = MarkRuns(escapes)
        for byte in bytes {
            runs.take(byte)
            if runs.longest > marksInRowMax { return false }
        }
        return true
    }

    private static let tooMany =
        "has more than \(marksInRowMax) combining marks in a row; send it with fewer"
    private static let facts: [String: ProblemFact] = ["marksInRowMax": .integer(marksInRowMax)]
}
