// SPDX-License-Identifier: Apache-2.0
import Events

/// Rescue agencies: one with an area and one that helps out, and what they do with a report.
enum RescueScene {
    /// Two agencies and who works for them.
    static func define(_ script: inout Script, in town: inout Town) {
        let admin = town.anyone(.admin).actor
        let square = [-0.5, 51.5, -0.3, 51.5, -0.3, 51.8, -0.5, 51.8, -0.5, 51.5]
        let agencies = [
            AgencyDefined(
                name: "Harbour Rescue",
                phone: "+442079460000",
                types: ["harbor-seal"],
                area: Area(polygons: [[square]]),
                base: .init(latitude: 51.6, longitude: -0.4)
            ),
            AgencyDefined(name: "Coast Rescue", email: "coast@example.org"),
        ]
        for agency in agencies {
            let id: AgencyID = town.id(at: script.time)
            town.agencies.append(id)
            script.record(admin, .agency(id), .agency(.defined(agency)), in: &town)
            let members = AgencyMembersSet([town.anyone(.rescuer).user])
            script.record(admin, .agency(id), .agency(.membersSet(members)), in: &town)
            share(id, &script, in: &town)
        }
    }

    /// A member shares the team's place, and stops now and then.
    private static func share(_ agency: AgencyID, _ script: inout Script, in town: inout Town) {
        let member = town.anyone(.rescuer)
        for isOver in [false, true] where !isOver || town.arbitrary.one(in: 2) {
            let shared = AgencyPlaceShared(
                by: member.user,
                person: member.person,
                fix: isOver ? nil : .open(town.fix(), of: member.person)
            )
            let subject = Subject.agencyPlace(agency)
            script.record(member.actor, subject, .agency(.placeShared(shared)), in: &town)
        }
    }

    /// The first agency gets a report, and now and then the second one after it.
    static func assign(_ report: ReportID, _ script: inout Script, in town: inout Town) {
        guard let first = town.agencies.first, let last = town.agencies.last else { return }
        let policy = Actor.policy("report-dispatch")
        var steps: [(AgencyID, ReportAssigned.Rule)] = [(first, .jurisdiction)]
        if town.arbitrary.one(in: 3) { steps.append((last, .timeout)) }
        for (agency, rule) in steps {
            let assigned = ReportAssigned(
                agency: agency,
                rule: rule,
                cell: "51.6,-0.4"
            )
            script.record(policy, .report(report), .report(.assigned(assigned)), in: &town)
            script.pass(town.wait(1...300))
        }
    }

    /// The report turns out to be part of an earlier incident, and now and then that it is not.
    static func attach(_ report: ReportID, _ script: inout Script, in town: inout Town) {
        guard town.arbitrary.bool(), let earlier = town.freeCase(at: script.time) else { return }
        // Nobody else's story may take it before this one ends.
        town.cases[earlier].busyUntil = .max
        let desk = town.anyone(.operator)
        let attached = ReportAttached(to: town.cases[earlier].incident, by: desk.user)
        script.record(desk.actor, .report(report), .report(.attached(attached)), in: &town)
        script.pass(town.wait(10...60))
        CallOutScene.call(about: .report(report), &script, in: &town)
        if town.arbitrary.bool() {
            let detached = ReportDetached(by: desk.user)
            script.record(desk.actor, .report(report), .report(.detached(detached)), in: &town)
            CallOutScene.call(about: .report(report), &script, in: &town)
        }
        town.cases[earlier].busyUntil = script.time
    }

    /// A rescuer writes how it goes.
    static func update(
        _ report: ReportID,
        of reporter: PersonID,
        _ script: inout Script,
        in town: inout Town
    ) {
        let rescuer = town.anyone(.rescuer)
        let added = ReportUpdateAdded(by: rescuer.user, text: .open("on the beach", of: reporter))
        script.record(rescuer.actor, .report(report), .report(.updateAdded(added)), in: &town)
        let photo = ReportPhotoAdded(
            number: nil,
            by: rescuer.user,
            person: reporter,
            blob: town.arbitrary.digest(),
            bytes: 40_000,
            mediaType: .jpeg,
            width: 1_536,
            height: 2_048,
            origin: town.arbitrary.maybe { _ in
                .open(Fix(latitude: 51.5, longitude: -0.4), of: reporter)
            }
        )
        script.record(rescuer.actor, .report(report), .report(.photoAdded(photo)), in: &town)
        publish(photo.blob, of: report, by: rescuer, &script, in: &town)
    }

    /// What is public of it is set, and now and then it is taken for another report's animal for a while.
    private static func publish(
        _ photo: SHA256Digest,
        of report: ReportID,
        by rescuer: Town.Member,
        _ script: inout Script,
        in town: inout Town
    ) {
        let settings = [
            ReportVisibilitySet(of: .reporterPhotos, isPublic: true),
            ReportVisibilitySet(of: .photo, photo: photo, isPublic: true, by: rescuer.user),
            ReportVisibilitySet(of: .report, isPublic: false, by: rescuer.user),
        ]
        for setting in settings where town.arbitrary.one(in: 2) {
            script.record(
                rescuer.actor,
                .report(report),
                .report(.visibilitySet(setting)),
                in: &town
            )
        }
        guard town.arbitrary.one(in: 3) else { return }
        let steps: [ReportEvent] = [
            .joined(ReportJoined(into: town.id(at: script.time), by: rescuer.user)),
            .separated(ReportSeparated(by: rescuer.user)),
        ]
        for step in steps {
            script.record(rescuer.actor, .report(report), .report(step), in: &town)
        }
    }
}
