// SPDX-License-Identifier: Apache-2.0
import Events

/// A channel of the guards and the desk: somebody asks, somebody shows a moment of a camera, and both have read it.
enum ChannelScene {
    static func play(_ script: inout Script, in town: inout Town) {
        let channel: ChannelID = town.id(at: script.time)
        let set = ChannelSet(
            name: "Night shift",
            site: "Depot North",
            members: [.guard, .operator],
            isOpen: true
        )
        let admin = town.anyone(.admin).actor
        let subject = Subject.channel(channel)
        script.record(admin, subject, .channel(.set(set)), in: &town)
        let (walker, desk) = (town.anyone(.guard), town.anyone(.operator))
        let asked = ChannelMessageSent(
            number: 1,
            author: desk.user,
            person: desk.person,
            text: .open("who is at the gate?", of: desk.person),
            moment: nil
        )
        script.record(desk.actor, subject, .channel(.messageSent(asked)), in: &town)
        script.pass(town.wait(5...60))
        let moment = ChannelMessageSent.Moment(
            camera: town.id(at: script.time),
            name: "Gate 1",
            at: script.time,
            still: town.arbitrary.digest(),
            stillBytes: town.arbitrary.number(8_000...40_000)
        )
        let shown = ChannelMessageSent(
            number: 2,
            author: walker.user,
            person: walker.person,
            text: town.arbitrary.one(in: 2) ? .open("him", of: walker.person) : nil,
            moment: moment
        )
        script.record(walker.actor, subject, .channel(.messageSent(shown)), in: &town)
        script.pass(town.wait(2...20))
        let read = ChannelRead(reader: desk.user, through: 2)
        script.record(desk.actor, subject, .channel(.read(read)), in: &town)
    }
}
