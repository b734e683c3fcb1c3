// SPDX-License-Identifier: Apache-2.0
/// What was committed to the log and is not yet in the index; decides and answers together with it.
struct UnindexedTail: Sendable {
    /// One committed event, as the index needs it.
    struct Item: Sendable {
        let position: LogPosition
        let revision: Revision
        let subject: Subject
        let kind: Kind
        let links: [Subject]
        let leafHash: MerkleHash
        /// Set on the first event of each append.
        let command: CommandKey?
        /// How many events that append has.
        let count: Int
    }

    private(set) var items: [Item] = []
    private(set) var heads: [Subject: Head] = [:]
    private(set) var lastLinks: [Subject: LogPosition] = [:]
    private(set) var commands: [CommandKey: Command] = [:]

    /// How a subject stands.
    struct Head: Hashable, Sendable {
        let revision: Revision
        let position: LogPosition
    }

    /// Where a command's events stand.
    struct Command: Hashable, Sendable {
        let first: LogPosition
        let count: Int
    }

    /// Adds events that were committed, in order.
    mutating func append(_ committed: [Item]) {
        items.append(contentsOf: committed)
        for item in committed {
            heads[item.subject] = Head(revision: item.revision, position: item.position)
            for link in item.links { lastLinks[link] = item.position }
            if let command = item.command {
                commands[command] = Command(first: item.position, count: item.count)
            }
        }
    }
}
