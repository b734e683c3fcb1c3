// SPDX-License-Identifier: Apache-2.0
public import Events

/// Words that were found in a session.
public struct DeskFinding: Hashable, Sendable {
    /// What the words are of.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The caller: number, and the name that a telephone told.
        case session
        case message
        /// An address, or the Plus Code of where the caller's device was.
        case place
    }

    /// The place in the log of the event that has the words.
    public let position: LogPosition
    public let kind: Kind
    public let at: Timestamp
    public let session: SessionID
    /// The incident to which the session belongs now.
    public let incident: IncidentID
    /// Whose contact the session is.
    public let caller: PersonID
    /// The caller's number, if it was given and may still be read.
    public let phone: String?
    /// Who wrote a message; `nil` for the other kinds.
    public let sender: Party?
    /// The words around the first match, with `…` where something is left out.
    public let text: String
    /// The words in ``text`` that match, in order, counted in UTF-16 units from 0.
    public let matches: [Range<Int>]

    /// At most so many words are shown around a match.
    static let wordsShown = 24

    static let selection = """
        SELECT f.position, f.kind, f.at, s.id, s.incident, s.caller, s.phone, f.sender,
        snippet(desk_search, -1, char(\(MarkedText.opening.value)), char(\(MarkedText.closing.value)),
        '…', \(wordsShown)) FROM desk_search CROSS JOIN searched f ON f.position = desk_search.rowid
        CROSS JOIN session s ON s.id = f.session
        """

    init(_ row: inout RowReader) throws {
        position = try row.position()
        kind = try row.word()
        at = try row.time()
        session = try row.value()
        incident = try row.value()
        caller = try row.value()
        phone = try row.optionalText()
        sender = try row.optionalWord()
        let marked = MarkedText(try row.text())
        (text, matches) = (marked.text, marked.matches)
    }
}

extension OperatorDesk {
    /// What words are looked for in sessions; what is `nil` does not filter.
    public struct Search: Hashable, Sendable {
        /// The words: all of them must be in one message, one address or with one caller.
        ///
        /// The last one may be unfinished from its second letter on. Case and diacritics do not count.
        public var text = ""
        /// The beginning of a caller's number, `+4477`, where the text is one; found beside the words.
        public var phonePrefix: String?
        public var kind: DeskFinding.Kind?
        /// Only what was recorded then or later.
        public var from: Timestamp?
        /// Only what was recorded before.
        public var until: Timestamp?
        /// Only what stands before this position in the log: the cursor, newest first.
        public var before: LogPosition?
        /// At most ``ProjectionLimits/listRowsMax``.
        public var limit = 100

        public init() {}
    }

    /// The words of those sessions whose contents the scope shows, newest first; a caller finds nothing.
    ///
    /// Sessions that are private to others are left out before the limit. Those of an incident in which the reader has an open session are
    /// among the answer: which of them a link opened to the reader, only the log knows (decision 0031), and the caller leaves out the rest.
    ///
    /// The full text gives its rows in this order by itself, so a word that many rows have costs no more than a rare one, unless all
    /// that has it is private.
    ///
    /// - Parameters:
    ///   - search: The words.
    ///   - scope: Whose sessions.
    /// - Returns: The findings; empty for a text without a letter or digit.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func search(_ search: Search, in scope: Scope) async throws -> [DeskFinding] {
        switch scope.reader {
        case .caller, .nothing: return []
        case .everything, .desk: break
        }
        guard let words = search.words else { return [] }
        return try await database.read { view in
            var query = Query(DeskFinding.selection)
            query.filter(leading: "desk_search MATCH ?", words)
            query.filter(scope, contentsOrJoinedOf: "s")
            query.filter("desk_search.rowid >= \(Self.position(atOrAfter: "?"))", search.from)
            query.filter("desk_search.rowid < \(Self.position(atOrAfter: "?"))", search.until)
            query.filter("desk_search.rowid < ?", search.before)
            query.order(by: "desk_search.rowid DESC", limit: bounded(search.limit))
            return try view.all(query, read: DeskFinding.init)
        }
    }

    /// The first position from a time on: time never goes back in the log, so a period is a range of row numbers.
    private static func position(atOrAfter time: String) -> String {
        """
        coalesce((SELECT position FROM searched WHERE at >= \(time) ORDER BY at, position LIMIT 1), \
        \(Int64.max))
        """
    }
}

extension Query {
    /// Leaves the sessions whose contents the scope shows, and at the desk those that a link may have opened: open ones of an incident in
    /// which the reader has an open one.
    fileprivate mutating func filter(_ scope: Scope, contentsOrJoinedOf session: String) {
        guard case .desk(let user?) = scope.reader else {
            return filter(scope, contentsOf: session)
        }
        filter(scope, organisation: "\(session).org")
        filter(
            """
            (CASE WHEN \(session).ended_at IS NULL THEN coalesce(\(session).owner, ?) = ?
            OR \(session).incident IN (SELECT incident FROM session WHERE owner = ? AND ended_at IS NULL)
            ELSE \(session).sealed = 0 OR \(session).last_owner = ? END)
            """,
            user
        )
    }
}

extension OperatorDesk.Search {
    /// The query in FTS5's language; `nil` where there is nothing to look for.
    ///
    /// What stands between blanks is quoted, so that nothing a user types is taken for an operator; a Plus Code or `O'Neill` so is a
    /// phrase of its parts.
    var words: String? {
        let parts = text.split(whereSeparator: \.isWhitespace)
            .map { $0.filter { $0 != "\"" && $0 != "\0" } }
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        guard let last = parts.last else { return nil }
        let beginning = last.split { !($0.isLetter || $0.isNumber) }.last ?? ""
        // A single letter begins half of all words.
        let end = "\"\(last)\"" + (beginning.count > 1 ? " *" : "")
        var all = (parts.dropLast().map { "\"\($0)\"" } + [end]).joined(separator: " AND ")
        if let phonePrefix, kind ?? .session == .session {
            all = "(\(all)) OR caller : \"\(phonePrefix.filter(\.isNumber))\" *"
        }
        return kind.map { "\($0.column) : (\(all))" } ?? all
    }
}

extension DeskFinding.Kind {
    /// The column of the full text that has the words.
    fileprivate var column: String {
        switch self {
        case .session: "caller"
        case .message: "message"
        case .place: "place"
        }
    }
}

/// A text in which SQLite marked what matches.
struct MarkedText {
    /// Control characters that show nothing: what a text has of them is left out.
    static let opening: Unicode.Scalar = "\u{2}"
    static let closing: Unicode.Scalar = "\u{3}"

    private(set) var text = ""
    /// In UTF-16 units.
    private(set) var matches: [Range<Int>] = []

    /// Takes the marks out, and counts where they stood.
    init(_ marked: String) {
        var (length, start) = (0, Int?.none)
        for scalar in marked.unicodeScalars {
            switch scalar {
            case Self.opening: start = start ?? length
            case Self.closing:
                if let start, start < length { matches.append(start..<length) }
                start = nil
            default:
                text.unicodeScalars.append(scalar)
                length += UTF16.width(scalar)
            }
        }
    }
}
