// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let channels = [
        RefusalScenario("SetChannel.unknown") { ledger in
            let channel = try ledger.channel()
            try ledger.run(SetChannel(channel, to: .sample(name: "Days")), in: .north)
        },
        RefusalScenario("SetChannel.unacceptable") { ledger in
            try ledger.channel(.sample(name: " "))
        },
        RefusalScenario("ChannelRefusal.notMember") { ledger in
            try ledger.write("hello", to: ledger.id(), by: ledger.member(.operator))
        },
        RefusalScenario("ChannelRefusal.unacceptable") { ledger in
            try ledger.write(" ", to: ledger.channel(), by: ledger.member(.operator))
        },
    ]
}

extension MemoryLedger {
    /// A channel for guards and operators.
    @discardableResult
    func channel(_ settings: ChannelSet = .sample()) throws -> ChannelID {
        let channel: ChannelID = id()
        try run(SetChannel(channel, to: settings))
        return channel
    }

    func member(_ role: Role) -> ChannelMember {
        ChannelMember(UserID(unchecked: "\(role.rawValue)"), role)
    }

    @discardableResult
    func write(
        _ text: String?,
        _ moment: ChannelMessageSent.Moment? = nil,
        to channel: ChannelID,
        by author: ChannelMember
    ) throws -> ChannelMessageSent {
        try run(SendToChannel(text, moment, to: channel, by: author, person: id()))
    }
}

extension ChannelSet {
    static func sample(
        name: String = "Night shift",
        site: String? = "Selly Oak",
        members: [Role] = [.guard, .operator],
        isOpen: Bool = true
    ) -> ChannelSet {
        ChannelSet(name: name, site: site, members: members, isOpen: isOpen)
    }
}
