// SPDX-License-Identifier: Apache-2.0
import Events

/// What is known of a caller is held as evidence, or forgotten.
enum PrivacyStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        guard let caller = town.freeCaller(at: script.time) else { return }
        switch town.arbitrary.number(0...3) {
        case 0: hold(caller, &script, &town)
        case 1: erase(caller, &script, &town)
        case 2: correct(caller, &script, &town)
        default: revoke(caller, &script, &town)
        }
    }

    private static func hold(_ caller: Int, _ script: inout Script, _ town: inout Town) {
        let person = town.callers[caller].person
        let hold: HoldID = town.id(at: script.time)
        let admin = town.anyone(.admin)
        let placed = HoldPlaced(
            hold: hold,
            scope: .person(person),
            persons: [person],
            reason: "request of the prosecutor",
            authority: "order 12/\(town.arbitrary.number(1...999))"
        )
        script.record(admin.actor, .holds(.main), .hold(.placed(placed)), in: &town)
        script.pass(town.wait(600...7_200))
        // A second person agrees when it is lifted.
        let lifted = HoldLifted(
            hold: hold,
            reason: "case closed",
            approvedBy: [admin.user, town.anyone(.supervisor).user]
        )
        script.record(admin.actor, .holds(.main), .hold(.lifted(lifted)), in: &town)
        town.callers[caller].busyUntil = script.time
    }

    /// Erased people never call again; who calls later is somebody new.
    private static func erase(_ caller: Int, _ script: inout Script, _ town: inout Town) {
        let person = town.callers.remove(at: caller).person
        let admin = town.anyone(.admin)
        let erased = PersonErased(person: person, by: admin.user, reason: "asked for by the person")
        script.record(admin.actor, .person(person), .person(.erased(erased)), in: &town)
    }

    /// A number that an earlier version read wrongly; what it said before does not matter here.
    private static func correct(_ caller: Int, _ script: inout Script, _ town: inout Town) {
        let known = town.callers[caller]
        let phone = Sealed.open(known.phone, of: known.person)
        let corrected = PersonNumberCorrected(person: known.person, phone: phone, sameAs: [])
        let fact: PersonEvent = .numberCorrected(corrected)
        script.record(.policy("numbers"), .person(known.person), .person(fact), in: &town)
    }

    private static func revoke(_ caller: Int, _ script: inout Script, _ town: inout Town) {
        let known = town.callers[caller]
        guard let device = known.device else { return }
        let admin = town.anyone(.admin)
        let revoked = DeviceRevoked(person: known.person, reason: "reported as lost")
        script.record(admin.actor, .device(device), .device(.revoked(revoked)), in: &town)
        town.callers[caller] = Town.Caller(
            person: known.person,
            phone: known.phone,
            device: nil,
            busyUntil: known.busyUntil
        )
    }
}
