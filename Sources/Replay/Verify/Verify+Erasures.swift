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
