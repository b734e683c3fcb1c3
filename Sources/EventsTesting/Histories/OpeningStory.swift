// SPDX-License-Identifier: Apache-2.0
import Events

/// The centre opens: policies, accounts, patrol points.
enum OpeningStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        let policies: [(String, [String: Int])] = [
            ("start-limit", ["limitSeconds": 120]), ("stream-silence", ["silenceSeconds": 5]),
            ("alert-delivery", ["attemptsMax": 5]),
        ]
        for (name, settings) in policies {
            let enabled = PolicyEnabled(policy: name, settings: settings)
            script.record(.ledger, .policy(name), .policy(.enabled(enabled)), in: &town)
        }
        let mail = SenderSettings(
            isOn: true,
            host: "mail.example.org",
            port: 587,
            security: .startTLS,
            from: "centre@example.org",
            perMinute: 60
        )
        let set = SenderSet(channel: .email, settings: mail)
        script.record(.ledger, .sender(.email), .alert(.senderSet(set)), in: &town)
        let template = TemplateDefined(
            name: "alert",
            language: "en",
            subject: "{centre}",
            text: "{words}",
            isRetired: false
        )
        script.record(
            .ledger,
            .template("alert", "en"),
            .alert(.templateDefined(template)),
            in: &town
        )
        let staff: [(Role, Int)] = [
            (.admin, 1), (.operator, 12), (.supervisor, 2), (.guard, 6), (.rescuer, 5),
            (.auditor, 1),
        ]
        for (role, count) in staff {
            for _ in 0..<count { hire(role, &script, &town) }
        }
        town.hiredAtOpening = town.members.count
        for number in 1...8 { definePoint(number, &script, &town) }
        CallOutScene.define(&script, in: &town)
        CallOutScene.tellOthers(&script, in: &town)
        RescueScene.define(&script, in: &town)
        TelephoneScene.define(&script, in: &town)
        CameraScene.define(&script, in: &town)
        ChannelScene.play(&script, in: &town)
        SafetyScene.play(&script, in: &town)
        town.openedAt = script.time
    }

    /// Makes an account.
    static func hire(_ role: Role, _ script: inout Script, _ town: inout Town) {
        town.users += 1
        let member = Town.Member(
            user: UserID(unchecked: "\(123_456_788 + town.users)"),
            person: town.id(at: script.time),
            role: role
        )
        let admin = town.members.first?.actor ?? .ledger
        town.members.append(member)
        let created = UserCreated(
            organisation: .main,
            role: role,
            person: member.person,
            name: .open(Phrases.name(&town.arbitrary), of: member.person),
            mustChangePassword: true
        )
        script.bring(member.person)
        script.record(admin, .user(member.user), .user(.created(created)), in: &town)
        script.pass(town.wait(0.2...3))
    }

    private static func definePoint(_ number: Int, _ script: inout Script, _ town: inout Town) {
        let fix = town.fix()
        let point = Town.Point(
            id: town.id(at: script.time),
            latitude: fix.latitude,
            longitude: fix.longitude
        )
        town.points.append(point)
        let defined = PatrolPointDefined(
            site: number <= 4 ? "Depot North" : "Depot South",
            name: "Gate \(number)",
            latitude: point.latitude,
            longitude: point.longitude,
            radiusMetres: 30
        )
        let admin = town.anyone(.admin).actor
        script.record(admin, .patrolPoint(point.id), .patrol(.pointDefined(defined)), in: &town)
        script.pass(town.wait(0.2...3))
    }
}
