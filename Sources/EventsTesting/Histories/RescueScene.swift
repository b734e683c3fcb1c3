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
            height: 2_048
        )
        script.record(rescuer.actor, .report(report), .report(.photoAdded(photo)), in: &town)
    }
}
