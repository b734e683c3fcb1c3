// SPDX-License-Identifier: Apache-2.0
import Events

/// A guard walks a tour and scans the code at each point (ruling 26).
enum PatrolStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        guard let walker = town.free(.guard, at: script.time) else { return }
        let points = town.points.shuffled(using: &town.arbitrary.generator)
            .prefix(town.arbitrary.number(2...6))
        let round = RoundScene(Array(points), town.members[walker], &script, &town)
        var missed: [PatrolPointID] = []
        for point in points {
            let isThere = scan(point, by: town.members[walker], on: round.id, &script, &town)
            if !isThere { missed.append(point.id) }
            round.pass(point, isThere, &script, &town)
            script.pass(town.wait(60...240))
        }
        round.end(missing: missed, &script, &town)
        // Five minutes pass before the same guard may count at the same point again.
        town.members[walker].busyUntil = script.time + .seconds(301)
        if town.arbitrary.one(in: 8) { renew(points[0].id, &script, &town) }
    }

    /// The label at a point was lost.
    private static func renew(
        _ point: PatrolPointID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard let place = town.points.firstIndex(where: { $0.id == point }) else { return }
        town.points[place].codeNumber += 1
        let renewed = PatrolCodeRenewed(number: town.points[place].codeNumber)
        let admin = town.anyone(.admin).actor
        script.record(admin, .patrolPoint(point), .patrol(.codeRenewed(renewed)), in: &town)
    }

    /// - Returns: Whether the guard was there.
    private static func scan(
        _ point: Town.Point,
        by guardMember: Town.Member,
        on round: RoundID,
        _ script: inout Script,
        _ town: inout Town
    ) -> Bool {
        guard !town.arbitrary.one(in: 9) else { return false }
        if town.arbitrary.one(in: 10) {
            refuse(
                point,
                town.arbitrary.one(in: 2) ? .badCode : .tooFar,
                guardMember,
                round,
                &script,
                &town
            )
            script.pass(town.wait(5...30))
        }
        let near = Fix(
            latitude: point.latitude + 0.000_05,
            longitude: point.longitude,
            accuracyMetres: Double(town.arbitrary.number(3...20))
        )
        let checkedIn = PatrolCheckedIn(
            guardID: guardMember.user,
            guardPerson: guardMember.person,
            fix: .open(near, of: guardMember.person),
            distanceMetres: .open(5.56, of: guardMember.person),
            offline: town.arbitrary.one(in: 8),
            note: town.arbitrary.one(in: 6) ? .open("door was open", of: guardMember.person) : nil,
            round: round
        )
        let subject = Subject.patrolPoint(point.id)
        script.record(guardMember.actor, subject, .patrol(.checkedIn(checkedIn)), in: &town)
        guard town.arbitrary.one(in: 12) else { return true }
        script.pass(town.wait(3...40))
        refuse(point, .duplicate, guardMember, round, &script, &town)
        return true
    }

    private static func refuse(
        _ point: Town.Point,
        _ reason: PatrolCheckInRefused.Reason,
        _ guardMember: Town.Member,
        _ round: RoundID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let refused = PatrolCheckInRefused(
            guardID: guardMember.user,
            reason: reason,
            distanceMetres: reason == .tooFar
                ? .open(Double(town.arbitrary.number(31...900)), of: guardMember.person) : nil,
            round: round
        )
        let subject = Subject.patrolPoint(point.id)
        script.record(guardMember.actor, subject, .patrol(.checkInRefused(refused)), in: &town)
    }
}
