// SPDX-License-Identifier: Apache-2.0
public import Events

extension Recordings {
    /// What a recording is searched by; what is `nil` does not filter.
    public struct Search: Hashable, Sendable {
        /// Words, or beginnings of words, of file name, address, operator's id and name.
        public var text: String?
        /// The beginning of the file name: `2015-04-21-13`.
        public var fileName: String?
        /// Words of the address.
        public var address: String?
        /// An operator's id, or words of the name.
        public var operatorText: String?
        /// The beginning of a caller's number.
        public var phonePrefix: String?
        /// First day, in the site's zone: `2015-04-21`.
        public var fromDate: String?
        /// Last day.
        public var toDate: String?
        /// First time of day, in the site's zone: `13:00`.
        public var fromTime: String?
        /// Last time of day: `13:30` includes 13:30:59.
        public var toTime: String?
        /// Only streams started before this position: the cursor, newest first.
        public var before: LogPosition?
        /// At most ``ProjectionLimits/listRowsMax``.
        public var limit = 100

        public init() {}
    }

    /// Recordings of the scope's organisation that fit, newest first; whose session is private by now the caller leaves out.
    public func search(_ search: Search, in scope: Scope) async throws -> [Recording] {
        try await database.read { view in
            var query = Query(
                "SELECT \(Recording.columns) FROM stream"
                    + (search.words == nil
                        ? "" : " JOIN recording_search ON recording_search.rowid = stream.number")
            )
            query.filter(leading: "recording_search MATCH ?", search.words)
            search.filter(&query)
            query.filter(scope)
            // The same number: the full text gives its rows in this order by itself.
            let number = search.words == nil ? "stream.number" : "recording_search.rowid"
            query.filter("\(number) < ?", search.before)
            query.order(by: "\(number) DESC", limit: bounded(search.limit))
            return try view.all(query, read: Recording.init)
        }
    }
}

extension Recordings.Search {
    /// The query in FTS5's language, or `nil` if no words are given.
    fileprivate var words: String? {
        let parts = [
            phrase(text, in: nil), phrase(address, in: "address"),
            phrase(operatorText, in: "operator"),
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    fileprivate func filter(_ query: inout Query) {
        query.filter(leading: "stream.name >= ?", fileName)
        query.filter("stream.name < ?", fileName.map { $0 + "\u{7f}" })
        query.filter(leading: "phone >= ?", phonePrefix)
        query.filter("phone < ?", phonePrefix.map { $0 + ":" })
        if toDate != nil {
            query.filter(leading: "local_date >= ?", fromDate)
        } else {
            // What began since then are the newest: they are met first.
            query.filter("+local_date >= ?", fromDate)
        }
        query.filter((fromDate == nil ? "+" : "") + "local_date <= ?", toDate)
        query.filter("local_time >= ?", fromTime)
        query.filter("local_time < ?", toTime.map { $0 + "~" })
    }

    /// Each word quoted, so that nothing a user types is taken for an operator of FTS5; the last may be unfinished.
    private func phrase(_ text: String?, in column: String?) -> String? {
        let words = (text ?? "").split { !($0.isLetter || $0.isNumber) }
        guard !words.isEmpty else { return nil }
        let all = words.map { "\"\($0)\" *" }.joined(separator: " AND ")
        return column.map { "\($0) : (\(all))" } ?? "(\(all))"
    }
}
