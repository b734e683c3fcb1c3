// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// Corrects the numbers that an earlier version read wrongly, such as those of Italy without their zero, at each start.
///
/// A person whose number is another one by the numbering plans has that one from then on, and is one with whoever has it already.
struct NumberCorrection: Sendable {
    /// What it is called in the log.
    static let name = "numbers"

    let ledger: Ledger

    /// Looks at every number once.
    ///
    /// - Throws: What reading the desk and writing the log throw; what was corrected stays so, and the rest is next time.
    func run() async throws {
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: "operator-desk")
        }
        var last: PersonID?
        repeat {
            let page = try await ledger.readModels.desk.numbers(after: last)
            for number in page {
                try await ledger.unlessDamaged { try await correct(number) }
            }
            last = page.last?.person
        } while last != nil
    }

    private func correct(_ stored: DeskNumber) async throws {
        let read = stored.phone.readAgain
        guard read != stored.phone else { return }
        // The rows only say whom to look at: a number that the log does not give the person is not corrected.
        guard try await ledger.phoneBook.has(stored.person, stored.phone, in: stored.organisation)
        else { return }
        var same: [PersonID] = []
        for other in try await ledger.readModels.desk.numbers(phone: read)
        where other.organisation == stored.organisation {
            if try await ledger.phoneBook.has(other.person, read, in: other.organisation) {
                same.append(other.person)
            }
        }
        let context = ledger.context(
            actor: .policy(Self.name),
            organisation: stored.organisation,
            command: CommandID(unchecked: "\(Self.name)~\(stored.person)~\(read.text.dropFirst())")
        )
        let command = CorrectNumber(of: stored.person, to: read, sameAs: same)
        do {
            _ = try await ledger.handler.handle(command, context)
        } catch is CorrectNumber.Refusal {
            // Erased meanwhile.
        }
    }
}
