// SPDX-License-Identifier: Apache-2.0
public import Events

/// The texts for everybody: what rights people have, and where there is help (source 4, UC-46 and UC-47).
public struct Contents: Fold {
    /// In the order in which they were written first.
    public private(set) var all: [Content] = []

    /// One text as it stands.
    public struct Content: Hashable, Sendable {
        public let id: ContentID
        public internal(set) var facts: ContentSet
        public internal(set) var setAt: Timestamp
    }

    public init(_ id: Void) {}

    public static func source(of id: Void) -> FoldSource { .category("content") }

    /// Takes in an event of any text.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .safety(.contentSet(let set)) = event.fact,
            let id = ContentID(String(event.envelope.subject.name))
        else { return }
        let time = event.envelope.time
        if let known = all.firstIndex(where: { $0.id == id }) {
            (all[known].facts, all[known].setAt) = (set, time)
        } else {
            all.append(Content(id: id, facts: set, setAt: time))
        }
    }
}

/// Writes a text for everybody, or changes one; what is not shown is kept for who writes them.
public struct SetContent: Command {
    public let content: ContentID
    public let facts: ContentSet

    public init(_ content: ContentID, _ facts: ContentSet) {
        (self.content, self.facts) = (content, facts)
    }

    /// Why it was not written.
    public enum Refusal: CommandRefusal {
        case full(ContentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .full(let content):
                Problem(
                    .conflict,
                    "content-full",
                    "writing a text refused: there are \(CommandLimits.contentsMax), as many as are "
                        + "kept; write over one that is not shown any more",
                    facts: ["content": "\(content)", "max": "\(CommandLimits.contentsMax)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .content(content) }
    /// So that no two texts take the last place.
    public var lane: Subject? { Self.lane }
    private static let lane = Subject(unchecked: "content/all")

    public func read(_ ledger: inout LedgerView) throws -> Contents {
        try ledger.glance(Contents.self, ())
    }

    public func decide(
        _ state: Contents,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try check()
        let known = state.all.first { $0.id == content }
        guard known != nil || state.all.count < CommandLimits.contentsMax else {
            throw .full(content)
        }
        guard known?.facts != facts else { return .already(()) }
        return .record([.content(content, .contentSet(facts))])
    }

    private func check() throws(Refusal) {
        try InputFault.check(language: facts.language, else: Refusal.unacceptable)
        try InputFault.check(
            name: facts.title,
            "title",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        // A place may say all by its address.
        try InputFault.check(
            optional: facts.text,
            "text",
            bytesMax: CommandLimits.contentBytesMax,
            else: Refusal.unacceptable
        )
        for (field, text) in [("address", facts.address), ("phone", facts.phone)] {
            try InputFault.check(
                optional: text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        try InputFault.check(
            facts.place.map {
                (-90...90).contains($0.latitude) && (-180...180).contains($0.longitude)
            } ?? true,
            "latitude, longitude",
            "the place",
            allowed: "-90 to 90, and -180 to 180 degrees",
            else: Refusal.unacceptable
        )
    }
}
