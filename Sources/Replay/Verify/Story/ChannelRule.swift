// SPDX-License-Identifier: Apache-2.0
import Events

/// What may happen in a channel once it was opened: messages are counted without a gap, and only those that exist are read, forwards.
struct ChannelRule {
    private var isOpen = false
    private var count = 0
    private var read: [UserID: Int] = [:]

    /// Takes the next event.
    ///
    /// - Returns: The rules that it breaks, in words.
    mutating func apply(_ fact: ChannelEvent) -> [String] {
        switch fact {
        case .set(let set):
            isOpen = set.isOpen
            return []
        case .messageSent(let sent):
            // A forged log may name any numbers.
            let follows = sent.number == count &+ 1
            count = sent.number
            read[sent.author] = sent.number
            return broken([
                (isOpen, "goes into a channel that is open"),
                (follows, "has the number after that of the message before it"),
            ])
        case .read(let reading):
            let isForwards = (read[reading.reader] ?? 0) < reading.through
            read[reading.reader] = reading.through
            return broken([
                (isOpen, "is of a channel that is open"),
                (reading.through <= count, "reads no message that is still to come"),
                (isForwards, "reads further than before"),
            ])
        }
    }

    private func broken(_ rules: [(holds: Bool, rule: String)]) -> [String] {
        rules.filter { !$0.holds }.map(\.rule)
    }
}
