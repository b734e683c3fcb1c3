// SPDX-License-Identifier: Apache-2.0
public import Events
import Logging
import Projections

/// Finishes the erasures that were left half done: by a crash, by a restored backup, by a file that could not be deleted.
///
/// At each start all that the log has; from then on those that a request could not finish. What cannot be done is tried again.
struct ErasureService: Sendable {
    let ledger: Ledger

    /// Pays what is owed, and waits for more.
    ///
    /// - Throws: ``ErasureUnfinished`` when something is left; what reading the ledger throws.
    func run() async throws {
        let rings = ledger.erasureDebt.rings()
        try await finishAll()
        for await _ in rings { try await pay() }
    }

    /// Pays what the log had at the start, and what was owed since.
    func finishAll() async throws {
        if !ledger.erasureDebt.isFilled { try oweAll() }
        try await pay()
    }

    /// By the log alone: whoever can write a read model must not decide who is erased.
    private func oweAll() throws {
        let left = ledger.unvouchedErasures.map(\.person)
        ledger.erasureDebt.fill(with: try ledger.log.erasedPersons().subtracting(left))
    }

    /// Tries for everybody who is owed, so that nobody waits for another's file.
    private func pay() async throws {
        var left: [Fault] = []
        let erasure = Erasure(ledger: ledger)
        for person in ledger.erasureDebt.people.sorted(by: { "\($0)" < "\($1)" }) {
            do {
                left += try await erasure.finish(person).left
            } catch let error where !(error is CancellationError) {
                let (fault, whose) = (Fault(error), "person \(person)")
                left.append(
                    Fault(code: "\(whose) \(fault.code)", words: "\(whose): \(fault.words)")
                )
            }
            try Task.checkCancellation()
        }
        guard left.isEmpty else { throw ErasureUnfinished(left: left) }
    }
}

/// Something of an erased person is still there.
struct ErasureUnfinished: FaultCoded, CustomStringConvertible {
    /// What, and why.
    let left: [Fault]

    var faultCode: String { left.map(\.code).joined(separator: "; ") }

    var description: String {
        let shown = left.prefix(5).map(\.words).joined(separator: "; ")
        let more = left.count > 5 ? " and \(left.count - 5) more" : ""
        return
            "erasing was not finished: \(shown)\(more); what is in the way must go, it is tried again by itself"
    }
}

extension EventLog {
    /// Everybody whom the log calls erased, by the entries themselves.
    ///
    /// - Throws: `EventLogError.damaged` where one of them is not the entry that was committed; nothing is destroyed then.
    func erasedPersons() throws -> Set<PersonID> {
        Set(try erasures(before: size).map(\.person))
    }

    /// The erasures before a position, in order, each person once.
    ///
    /// - Throws: As ``erasedPersons()``.
    func erasures(before end: UInt64) throws -> [FoundErasure] {
        var found: [FoundErasure] = []
        var persons: Set<PersonID> = []
        var next = LogPosition(0)
        while next.rawValue < end {
            let page = try entries(of: PersonErased.kind, from: next)
            guard let last = page.last else { break }
            for entry in page where entry.envelope.position.rawValue < end {
                guard case .person(.erased(let erased)) = try EventDecoder().decode(entry).fact,
                    persons.insert(erased.person).inserted
                else { continue }
                let position = entry.envelope.position
                found.append(FoundErasure(person: erased.person, position: position))
            }
            next = last.envelope.position.next
        }
        return found
    }
}

/// An erasure as the log tells of it.
public struct FoundErasure: Sendable, Hashable, CustomStringConvertible {
    public let person: PersonID
    public let position: LogPosition

    public var description: String { "person \(person) at position \(position)" }
}
