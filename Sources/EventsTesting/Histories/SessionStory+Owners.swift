// SPDX-License-Identifier: Apache-2.0
import Events

/// How a session passes from one operator to another, or nearly.
extension SessionStory {
    /// Its owner gives it back, hands it over, or falls silent.
    static func passOn(
        from owner: Int,
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard let next = town.free(.operator, at: script.time) else { return }
        let pair = Pair(owner: owner, next: next)
        // Nobody else's story may take the other before this one ends.
        town.members[next].busyUntil = .max
        let hasPassed =
            switch town.arbitrary.number(0...2) {
            case 0: giveBack(pair, contact, &script, &town)
            case 1: handOver(pair, contact, &script, &town)
            default: fallSilent(pair, contact, &script, &town)
            }
        town.members[hasPassed ? owner : next].busyUntil = script.time
        if hasPassed { contact.owner = next }
        script.pass(town.wait(1...6))
    }

    private struct Pair {
        let owner: Int
        let next: Int
    }

    private static func giveBack(
        _ pair: Pair,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) -> Bool {
        let released = SessionReleased(
            owner: town.members[pair.owner].user,
            // As older logs have it, too.
            reason: town.arbitrary.bool() ? .givenBack : .leftOpen
        )
        record(.released(released), by: pair.owner, contact, &script, &town)
        let claimed = SessionClaimed(owner: town.members[pair.next].user)
        record(.claimed(claimed), by: pair.next, contact, &script, &town)
        return true
    }

    private static func handOver(
        _ pair: Pair,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) -> Bool {
        let (owner, next) = (town.members[pair.owner].user, town.members[pair.next].user)
        let offered = SessionOffered(
            to: next,
            by: owner,
            reason: .open("the shift ends", of: contact.caller.person),
            expiresAt: script.time + .seconds(60)
        )
        record(.offered(offered), by: pair.owner, contact, &script, &town)
        guard !town.arbitrary.one(in: 3) else {
            let declined = SessionOfferDeclined(by: next)
            record(.offerDeclined(declined), by: pair.next, contact, &script, &town)
            return false
        }
        let passed = SessionTransferred(from: owner, to: next, reason: .handedOver)
        record(.transferred(passed), by: pair.next, contact, &script, &town)
        return true
    }

    private static func fallSilent(
        _ pair: Pair,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) -> Bool {
        let (owner, next) = (town.members[pair.owner].user, town.members[pair.next].user)
        let takeOverAt = script.time + .seconds(120)
        let left = SessionUnattended(owner: owner, takeOverAt: takeOverAt)
        script.record(
            .policy("idle-logout"),
            contact.subject,
            .session(.unattended(left)),
            in: &town
        )
        guard !town.arbitrary.one(in: 3) else {
            let resumed = SessionResumed(by: .operator, gapMilliseconds: 40_000)
            script.pass(.seconds(40))
            record(.resumed(resumed), by: pair.owner, contact, &script, &town)
            return false
        }
        script.pass(until: takeOverAt)
        let passed = SessionTransferred(from: owner, to: next, reason: .takenOver)
        record(.transferred(passed), by: pair.next, contact, &script, &town)
        return true
    }

    /// What an operator does, and the time until the next thing.
    private static func record(
        _ event: SessionEvent,
        by member: Int,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        script.record(
            town.members[member].actor,
            contact.subject,
            .session(event),
            in: &town
        )
        script.pass(town.wait(1...20))
    }
}
