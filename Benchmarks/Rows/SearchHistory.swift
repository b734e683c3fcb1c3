// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation

/// The sessions of a centre with what was written in them: of ten sessions six have ended, two are the reader's, and two are private to a colleague.
///
/// Words are as unequally frequent as in a language, and every second message has one in common. What is private has a word of its own, which nothing else has.
struct SearchHistory {
    /// An operator who reads.
    let reader = UserID(unchecked: "111111111")
    private let colleague = UserID(unchecked: "222222222")
    private let messages: Int
    private let messagesOfSession = 20
    private let time = Timestamp(microseconds: 1_700_000_000_000_000)

    /// Every second message has it.
    static let common = "help"
    /// Only private messages have it, each of them.
    static let hidden = "confidential"
    private static let words = 5_000

    init(messages: Int) { self.messages = messages }

    func record(in log: EventLog) async throws {
        let sessions = messages / messagesOfSession
        let (lanes, history) = (64, self)
        // Side by side, so that commits are shared.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in stride(from: lane, to: sessions, by: lanes) {
                        try await history.record(session: number, in: log)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The questions, each as somebody types it and as FTS5 takes it, from words that few messages have to the one that half of them have.
    func questions(_ count: Int) -> [String] {
        var chance = SeededGenerator(seed: 11)
        return (0..<count).map { number in
            let word = Self.word(&chance)
            switch number % 10 {
            case 0, 1: return Self.common
            case 2: return "\(Self.common) \(word)"
            case 3: return "\(word) \(Self.word(&chance))"
            case 4: return String(word.prefix(2))
            case 5: return String(word.prefix(4))
            case 6: return Self.hidden
            default: return word
            }
        }
    }

    private func record(session number: Int, in log: EventLog) async throws {
        var chance = SeededGenerator(seed: UInt64(number) + 100)
        let session = SessionID(at: time, using: &chance)
        let incident = IncidentID(at: time, using: &chance)
        let caller = PersonID(at: time, using: &chance)
        let isPrivate = number % 10 > 7
        var facts: [Fact] = [
            .session(
                .created(
                    SessionCreated(
                        incident: incident,
                        caller: caller,
                        channel: .chat,
                        openedBy: .caller
                    )
                )
            )
        ]
        facts += (0..<messagesOfSession).map { said($0, isPrivate, caller, &chance) }
        let owner = isPrivate ? colleague : reader
        facts.append(.session(.claimed(SessionClaimed(owner: owner))))
        if number % 10 < 6 {
            let closed = SessionClosed(
                caller: caller,
                by: .operator,
                owner: owner,
                disposition: "handled"
            )
            facts.append(.session(.closed(closed)))
        }
        let events = facts.map { Event(id: EventID(at: time, using: &chance), fact: $0) }
        let id = CommandID(unchecked: "\(EventID(at: time, using: &chance))")
        try await log.append(
            [SubjectWrite(.session(session), events)],
            command: CommandStamp(actor: .ledger, command: id)
        )
    }

    private func said(
        _ number: Int,
        _ isPrivate: Bool,
        _ caller: PersonID,
        _ chance: inout SeededGenerator
    ) -> Fact {
        var words = (0..<10).map { _ in Self.word(&chance) }
        if number % 2 == 0 { words.append(Self.common) }
        if isPrivate { words.append(Self.hidden) }
        let sent = ChatMessageSent(
            message: MessageID(at: time, using: &chance),
            temporaryID: "temp\(number)",
            from: .caller,
            text: .open(words.joined(separator: " "), of: caller),
            clientTimestamp: "437647234",
            channel: .webSocket
        )
        return .chat(.messageSent(sent))
    }

    /// A word; the n-th is met about as often as one over n.
    private static func word(_ chance: inout SeededGenerator) -> String {
        let part = Double.random(in: 0..<1, using: &chance)
        var number = min(words, Int(pow(Double(words), part))) &* 7_919
        let letters = Array("aeioubdfgklmnprstvz")
        var word = ""
        for _ in 0..<6 {
            word.append(letters[number % letters.count])
            number = number / letters.count &+ number % 101
        }
        return word
    }
}
