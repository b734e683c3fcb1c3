// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// Revisions as HTTP has them (RFC 9110 §8.8.3, §13.1.1): `ETag: "7"` of a query, `If-Match: "7"` of a command.
extension Revision {
    /// The strong entity tag.
    var entityTag: String { "\"\(rawValue)\"" }

    /// Reads a strong entity tag; `nil` for anything else.
    init?(entityTag text: String) {
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        self.init(String(text.dropFirst().dropLast()))
    }
}

extension Request {
    /// What the client had seen of a subject; `nil` without `If-Match`, and for `*`, which takes any revision.
    ///
    /// - Throws: 400 for several tags, for one that names no revision, and where the command takes none:
    ///   a condition that nobody checks would be a promise that nobody keeps.
    func ifMatch(about subject: Subject?) throws(Problem) -> SeenRevision? {
        guard let text = headers[.ifMatch] else { return nil }
        guard let subject else {
            throw Problem(.malformedRequest, detail: "this takes no If-Match; leave it out")
        }
        guard text != "*" else { return nil }
        guard let revision = Revision(entityTag: text) else {
            throw Problem(
                .malformedRequest,
                detail: "If-Match is the ETag of one answer, a revision in quotes such as \"7\""
            )
        }
        return SeenRevision(of: subject, revision)
    }
}

extension Ledger {
    /// The revision of a subject that a read model shows by now, taken from the log at the model's place.
    ///
    /// Ask before the query: rows may be newer than their tag, which is refused once too often, but never older.
    func revision(of subject: Subject, shownBy model: String) throws -> Revision? {
        let state = readModels.runner.states.first { $0.identity.name == model }
        return try revision(of: subject, amongFirst: state?.reached ?? 0)
    }

    /// The last revision of a subject that the log had at an earlier size; `nil` before its first event.
    func revision(of subject: Subject, amongFirst size: UInt64) throws -> Revision? {
        guard let last = try log.revision(of: subject) else { return nil }
        if try isShown(last, of: subject, at: size) { return last }
        // Revisions below `shown` are shown, those from `hidden` on are not.
        var (shown, hidden) = (UInt64(0), last.rawValue)
        while shown < hidden {
            let middle = shown + (hidden - shown) / 2
            if try isShown(Revision(middle), of: subject, at: size) {
                shown = middle + 1
            } else {
                hidden = middle
            }
        }
        return shown == 0 ? nil : Revision(shown - 1)
    }

    /// Whether a revision stands below a size of the log.
    private func isShown(_ revision: Revision, of subject: Subject, at size: UInt64) throws -> Bool
    {
        let entry = try log.entries(of: subject, from: revision, limit: 1).first
        return entry.map { $0.envelope.position.rawValue < size } ?? false
    }
}
