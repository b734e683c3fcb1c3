// SPDX-License-Identifier: Apache-2.0
import Events

/// What may happen to a camera's footage once it was set up: the minutes of a file lie end to end, and a file that was removed is over.
struct FootageRule {
    private var isSetUp = false
    /// The file that grows, and where its last minute ends.
    private var file: String?
    private var end = 0
    private var expired: Set<String> = []

    /// Takes the next event.
    ///
    /// - Returns: The rules that it breaks, in words.
    mutating func apply(_ fact: CameraEvent) -> [String] {
        switch fact {
        case .set:
            isSetUp = true
            return []
        case .standingChanged: return broken([])
        case .minuteArchived(let minute):
            let follows = minute.file != file || minute.offset == end
            // A forged log may name any numbers.
            (file, end) = (minute.file, minute.offset &+ minute.length)
            return broken([
                (follows, "begins where the minute before it ends"),
                (!expired.contains(minute.file), "goes into no file that was removed"),
            ])
        case .footageExpired(let gone):
            expired.insert(gone.file)
            return broken([(gone.file != file, "removes no file that grows")])
        }
    }

    private func broken(_ rules: [(holds: Bool, rule: String)]) -> [String] {
        let all = [(holds: isSetUp, rule: "is of a camera that was set up")] + rules
        return all.filter { !$0.holds }.map(\.rule)
    }
}
