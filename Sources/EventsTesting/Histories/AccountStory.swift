// SPDX-License-Identifier: Apache-2.0
import Events

/// Someone signs in for a while; now and then somebody new is hired, or the clock is set.
enum AccountStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        if town.arbitrary.one(in: 12) { stepClock(&script, &town) }
        if town.arbitrary.one(in: 20) {
            OpeningStory.hire(town.arbitrary.element(of: [.operator, .rescuer]), &script, &town)
        }
        let member = town.arbitrary.element(of: town.members)
        let loggedIn = UserLoggedIn(
            method: town.arbitrary.oneOf(),
            address: town.arbitrary.maybe {
                .open("192.0.2.\($0.number(1...254))", of: member.person)
            }
        )
        script.record(member.actor, .user(member.user), .user(.loggedIn(loggedIn)), in: &town)
        if town.arbitrary.one(in: 8) { manage(member, &script, &town) }
        script.pass(town.wait(60...3_600))
        let loggedOut = UserLoggedOut(reason: town.arbitrary.oneOf())
        script.record(member.actor, .user(member.user), .user(.loggedOut(loggedOut)), in: &town)
    }

    /// A program gets a token for a while; an account is closed, opened, or given another password or role.
    private static func manage(
        _ member: Town.Member,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let admin = town.anyone(.admin).actor
        let token = "\(town.arbitrary.number(1...1_000_000))"
        let facts: [UserEvent] = [
            .tokenIssued(UserTokenIssued(token: token, expires: script.time)),
            .tokenRevoked(UserTokenRevoked(token: token)),
            .passwordChanged(UserPasswordChanged(cause: town.arbitrary.oneOf())),
            .disabled(UserDisabled(reason: "left")), .enabled(UserEnabled(reason: "came back")),
            .roleChanged(UserRoleChanged(from: member.role, to: member.role, reason: "review")),
        ]
        for fact in facts {
            script.record(admin, .user(member.user), .user(fact), in: &town)
            script.pass(town.wait(1...60))
        }
    }

    private static func stepClock(_ script: inout Script, _ town: inout Town) {
        let stepped = ClockStepped(
            stepMicroseconds: town.arbitrary.number(1_000_001...5_000_000),
            followed: true
        )
        script.record(.ledger, .clock, .clock(.stepped(stepped)), in: &town)
        let confirmed = ClockConfirmed(heldBackMicroseconds: 7_200_000_000)
        script.record(
            Actor(unchecked: "console/root"),
            .clock,
            .clock(.confirmed(confirmed)),
            in: &town
        )
    }
}
