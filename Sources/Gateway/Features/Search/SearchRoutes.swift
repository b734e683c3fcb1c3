// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import Projections

/// `GET /v1/search`: words in the messages, callers and places of sessions.
struct SearchRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [Route(.get, "/v1/search", for: .readersOfTheCentre, reads: "search", search)]
    }

    /// One finding, and what leads to its moment.
    private struct Finding: Encodable {
        let kind: DeskFinding.Kind
        let position: LogPosition
        let at: Timestamp
        let session: SessionID
        let incident: IncidentID
        let caller: Caller
        let from: Party?
        let snippet: Snippet

        struct Caller: Encodable {
            let person: PersonID
            let phone: String?
        }

        struct Snippet: Encodable {
            let text: String
            /// Begin and end of each word that matches, in UTF-16 units.
            let matches: [[Int]]
        }

        init(_ finding: DeskFinding) {
            kind = finding.kind
            position = finding.position
            at = finding.at
            session = finding.session
            incident = finding.incident
            caller = Caller(person: finding.caller, phone: finding.phone)
            from = finding.sender
            snippet = Snippet(
                text: finding.text,
                matches: finding.matches.map { [$0.lowerBound, $0.upperBound] }
            )
        }
    }

    private func search(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        var search = OperatorDesk.Search()
        search.text = try request.searchedWords("q")
        if search.text.isNumber {
            search.phonePrefix = try request.phonePrefix("q", of: ledger.configuration.site)?.text
        }
        search.kind = try request.word("kind")
        search.from = try request.time("from")
        search.until = try request.time("until")
        let before = try request.cursor("before", in: ledger.log)?.position
        let limit = try request.number("limit", default: 50, in: 1...100)
        try await ledger.awaitLevel(request, of: "operator-desk")
        let rights = ledger.rights
        var known: [SessionID: Bool] = [:]
        // The tables leave out what is private; a claim of a moment ago, and which link opened what, the log knows.
        let page = try await FullPage(limit, before: before, at: \.position) { before, count in
            search.before = before
            search.limit = count
            return try await ledger.readModels.desk.search(search, in: reader.scope)
        } admitting: { finding in
            let isRead = try known[finding.session] ?? rights.admits(reader, to: finding.session)
            known[finding.session] = isRead
            return isRead
        }
        _ = try await ledger.keys(
            toRead: Subject(unchecked: "searches/\(reader.org)"),
            context,
            fields: ["phone", "text", "address", "fix", "sender"]
        )
        return try .list(page, at: \.position, Finding.init)
    }
}

extension Request {
    /// The words that are looked for, without blanks around them.
    ///
    /// - Throws: 400 for none, for a text without a letter or digit, and for more than a search takes.
    fileprivate func searchedWords(_ name: String) throws(Problem) -> String {
        let text = (text(name) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let (characters, words) = (GatewayLimits.searchCharacters, GatewayLimits.searchWords)
        guard text.count <= characters,
            text.utf8.count <= GatewayLimits.searchBytes,
            text.split(whereSeparator: { !($0.isLetter || $0.isNumber) }).count <= words
        else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) has at most \(characters) characters, \(GatewayLimits.searchBytes)"
                    + " bytes and \(words) words; look for less"
            )
        }
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) is what to look for: a word, a telephone number or a Plus Code"
            )
        }
        return text
    }
}

extension String {
    /// Whether somebody wrote a telephone number, or its beginning.
    fileprivate var isNumber: Bool {
        utf8.count <= 40 && allSatisfy { $0.isASCII && $0.isNumber || " +-()/.".contains($0) }
            && count { $0.isNumber } > 2
    }
}
