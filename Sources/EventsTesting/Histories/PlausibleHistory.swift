// SPDX-License-Identifier: Apache-2.0
public import Events

/// A made-up history of a centre that keeps every rule: sessions with chat, video and places, reports, alerts, patrols,
/// accounts, holds and erasures, spread over hours and woven into each other.
///
/// Each story follows the invariants of the domain: one open session per caller and operator, no message after a session
/// closed, contiguous chunks, allowed transitions of reports. The same seed gives the same history. It is made as it is
/// read, so that it may have millions of events; some 2,500 events pass in an hour of it.
public struct PlausibleHistory: Sequence, IteratorProtocol, Sendable {
    private var town: Town
    private var agenda = Agenda()
    private var nextStory: Timestamp
    var left: Int

    /// Begins a history.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same history.
    ///   - start: When it begins.
    ///   - events: After how many events it ends; the append that reaches the number is still whole.
    public init(
        seed: UInt64,
        start: Timestamp = Timestamp(microseconds: 1_795_266_660_000_000),
        events: Int
    ) {
        town = Town(seed: seed)
        left = events
        nextStory = start
        plan(OpeningStory.self)
        nextStory = town.openedAt ?? start
    }

    public mutating func next() -> PlannedAppend? {
        guard left > 0 else { return nil }
        while agenda.nextTime.map({ $0 >= nextStory }) ?? true { planStory() }
        guard let append = agenda.takeNext() else { return nil }
        left -= append.events.count
        return append
    }

    private mutating func planStory() {
        switch town.arbitrary.number(0...99) {
        case 0...44: plan(SessionStory.self)
        case 45...54: plan(ReportStory.self)
        case 55...74: plan(PatrolStory.self)
        case 75...86: plan(AccountStory.self)
        case 87...95: plan(AccessStory.self)
        default: plan(PrivacyStory.self)
        }
    }

    private mutating func plan<Kind: Story>(_ kind: Kind.Type) {
        var script = Script(at: nextStory)
        kind.write(&script, in: &town)
        for append in script.appends { agenda.plan(append) }
        nextStory = nextStory + town.wait(5...110)
    }
}

/// A kind of story that a history tells again and again.
protocol Story {
    /// Writes one, from where the script stands on.
    static func write(_ script: inout Script, in town: inout Town)
}
