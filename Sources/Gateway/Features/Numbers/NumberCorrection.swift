// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import GRDB
import Projections

/// Corrects the numbers that an earlier version read wrongly, such as those of Italy without their zero, at each start.
///
/// A person whose number is another one by the numbering plans has that one from then on, and is one with whoever has it already.
struct NumberCorrection: Sendable {
    /// What it is called in the log.
    static let name = "numbers"

    let ledger: Ledger

    /// Looks at every number once: first at those of phones, which tell theirs with each new session.
    ///
    /// - Throws: What reading the desk, and writing accounts and log throw; what was corrected stays so, and the rest is next time.
    func run() async throws {
        try await ledger.accounts.readNumbersAgain()
        try await level()
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
        let book = ledger.phoneBook
        // The rows only say whom to look at: a number that the log does not give the person is not corrected.
        let cause = try await book.cause(
            giving: stored.phone,
            to: stored.person,
            in: stored.organisation
        )
        guard let cause else { return }
        // Others may have got the same number a moment ago, by this.
        try await level()
        var same: [PersonID] = []
        for other in try await ledger.readModels.desk.numbers(phone: read)
        where other.organisation == stored.organisation && other.person != stored.person {
            if try await book.has(other.person, read, in: other.organisation) {
                same.append(other.person)
            }
        }
        // Refused for who was erased meanwhile.
        try await ledger.handle(
            CorrectNumber(of: stored.person, to: read, sameAs: same),
            of: Self.name,
            because: cause,
            step: "correct"
        )
    }

    /// Waits until the desk shows everything that is in the log.
    private func level() async throws {
        guard let last = ledger.log.size.checkedPrevious else { return }
        try await ledger.readModels.runner.wait(for: last, on: "operator-desk")
    }
}

extension AccountStore {
    /// Gives phones, and links by which one becomes such, the number that theirs is as it is read today.
    ///
    /// Codes are left: they are good for minutes, and for the number for which the log has them.
    fileprivate func readNumbersAgain() async throws {
        for table in [AccountRows.Table.devices, .links] {
            let sql = "SELECT id, phone FROM \(table.unhidden())"
            let corrected = try await read { database in
                try Row.fetchAll(database, sql: sql).reduce(into: [PhoneNumber: Set<String>]()) {
                    guard let stored = PhoneNumber($1["phone"]) else { return }
                    let number = stored.readAgain
                    if number != stored { $0[number, default: []].insert($1["id"]) }
                }
            }
            guard !corrected.isEmpty else { continue }
            try await durably { database in
                for (number, ids) in corrected {
                    try AccountRows(table, "id", in: ids)
                        .update(set: "phone = :phone", ["phone": number.text], in: database)
                }
            }
        }
    }
}
