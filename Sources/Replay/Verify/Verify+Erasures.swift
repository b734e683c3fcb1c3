// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Looking again: a gateway may erase somebody while the ledger is verified.
extension Verify {
    /// Where somebody was erased; also behind the log as it was walked.
    ///
    /// Events come before the files and keys go. So what is missing is asked about here before it is called so.
    mutating func erasure(of person: PersonID) -> UInt64? {
        if let known = erasures[person] { return known }
        rereadErasures()
        return erasures[person]
    }

    /// Notes who was erased; the first event that says so counts.
    mutating func noteErasure(of person: PersonID, at position: UInt64) {
        guard erasures[person] == nil else { return }
        erasures[person] = position
        report.erased.append(.init(person: "\(person)", position: position))
    }

    private mutating func rereadErasures() {
        guard let from = rereadFrom else { return }
        do {
            let ledger = try LedgerReader.open(folder, usingIndex: false)
            defer { ledger.close() }
            let decoder = EventDecoder()
            var next = LogPosition(from)
            while let page = try Optional(ledger.entries(from: next)), let last = page.last {
                for entry in page where entry.envelope.kind == PersonErased.kind {
                    guard case .person(.erased(let erased)) = try decoder.decode(entry).fact else {
                        continue
                    }
                    noteErasure(of: erased.person, at: entry.envelope.position.rawValue)
                }
                next = last.envelope.position.next
                rereadFrom = next.rawValue
            }
        } catch {
            // What came behind the walk is for the next verification.
            rereadFrom = nil
        }
    }

    /// Notes something that is not here, where the log was not understood as a whole: it may say that it was erased.
    ///
    /// - Returns: Whether that is so; else its absence is for whoever asks to judge.
    mutating func isUnexplained(_ what: String) -> Bool {
        guard !isLogUnderstood else { return false }
        unexplained[what, default: 0] += 1
        return true
    }

    /// The same for a file that shows somebody of whom no erasure is known; `nil` where it is not known whom it shows.
    mutating func isUnexplained(_ what: String, of person: PersonID?) -> Bool {
        if let person, erasure(of: person) != nil { return false }
        return isUnexplained(what)
    }

    /// Whether something lies at a path, whatever it is.
    func hasAnything(at path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 || errno != ENOENT
    }

    /// Counts what is not here among what was not looked at: nobody can say whether it has to be.
    mutating func nameUnexplained() {
        for (what, count) in unexplained.sorted(by: { $0.key < $1.key }) {
            report.notLookedAt.append(
                "\(count) \(what) that are not here: an event that could not be read may have erased them"
            )
        }
    }

    /// What is said of a file of which the events tell nothing.
    var unnamed: String {
        isLogUnderstood ? "no event names it" : "no event that could be read names it"
    }

    /// The way out where an erasure was not carried out: a new origin does so only when it is told to.
    func remedy(forErasureAt position: UInt64) -> String {
        position < report.begun
            ? "the key that signs now does not vouch for this erasure: find out who recorded it; is it right, daybook serve --carry-out-erasures carries it out"
            : "start the gateway, which carries it out again; find out who restored it"
    }

    /// Notes what an erasure should have removed; an erasure that runs just now is about to.
    mutating func addRemains(_ finding: Finding, _ isThere: @escaping @Sendable () -> Bool) {
        remains.append((finding, isThere))
    }

    /// Calls damage what is still there a while later.
    mutating func checkRemains() async throws {
        for _ in 0..<ReplayLimits.erasureLooksMax
        where remains.contains(where: { $0.isThere() }) {
            try await Task.sleep(for: ReplayLimits.erasureLooksEvery)
        }
        for one in remains where one.isThere() { add(one.finding) }
        remains = []
    }
}
