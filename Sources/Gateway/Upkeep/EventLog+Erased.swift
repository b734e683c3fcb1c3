// SPDX-License-Identifier: Apache-2.0
import Events

extension EventLog {
    /// Everybody whom the log calls erased, by the entries themselves.
    ///
    /// - Throws: `EventLogError.damaged` where one of them is not the entry that was committed; nothing is destroyed then.
    func erasedPersons() throws -> Set<PersonID> {
        var persons: Set<PersonID> = []
        var next = LogPosition(0)
        while true {
            let page = try entries(of: PersonErased.kind, from: next)
            guard let last = page.last else { return persons }
            for entry in page {
                guard case .person(.erased(let erased)) = try EventDecoder().decode(entry).fact
                else { continue }
                persons.insert(erased.person)
            }
            next = last.envelope.position.next
        }
    }
}
