// SPDX-License-Identifier: Apache-2.0
import Events

/// Someone reads what is personal, or is turned away.
enum AccessStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        let caller = town.callers.isEmpty ? nil : town.arbitrary.element(of: town.callers)
        guard let caller else { return }
        if town.arbitrary.one(in: 3) { return refuse(caller, &script, &town) }
        let reader = town.anyone(town.arbitrary.one(in: 3) ? .auditor : .supervisor).actor
        for _ in 0..<town.arbitrary.number(1...3) {
            let read = AccessRead(
                reader: reader,
                resource: .person(caller.person),
                purpose: "quality review",
                fields: ["phone", "text"]
            )
            script.record(reader, .access(reader), .access(.read(read)), in: &town)
            script.pass(town.wait(60...300))
        }
    }

    private static func refuse(_ caller: Town.Caller, _ script: inout Script, _ town: inout Town) {
        let reader = town.anyone(.operator)
        let refused = AccessRefused(
            resource: .person(caller.person),
            attempt: "GET /v1/sessions/{id}/transcript",
            reason: town.arbitrary.oneOf(),
            address: .open("198.51.100.\(town.arbitrary.number(1...254))", of: reader.person)
        )
        script.record(reader.actor, .access(reader.actor), .access(.refused(refused)), in: &town)
    }
}
