// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let chat = [
        RefusalScenario("SendRefusal.unknown") { ledger in
            let nowhere = Scene(session: ledger.id(), caller: ledger.person())
            try ledger.run(ledger.message(in: nowhere))
        },
        RefusalScenario("SendRefusal.ended") { ledger in
            try ledger.run(ledger.message(in: try ledger.closedChat()))
        },
        RefusalScenario("SendRefusal.notYours") { ledger in
            try ledger.run(ledger.message(in: try ledger.chat(), from: .operator(.sam)))
        },
        RefusalScenario("SendRefusal.unacceptable") { ledger in
            try ledger.run(ledger.message("", in: try ledger.chat()))
        },
        RefusalScenario("SendRefusal.unknown") { ledger in
            let nowhere = Scene(session: ledger.id(), caller: ledger.person())
            try ledger.run(ledger.picture(in: nowhere))
        },
        RefusalScenario("SendRefusal.ended") { ledger in
            try ledger.run(ledger.picture(in: try ledger.closedChat()))
        },
        RefusalScenario("SendRefusal.notYours") { ledger in
            try ledger.run(ledger.picture(in: try ledger.chat(), from: .operator(.sam)))
        },
        RefusalScenario("SendRefusal.unacceptable") { ledger in
            try ledger.run(ledger.picture(in: try ledger.chat(), as: ""))
        },
        RefusalScenario("MarkDelivered.unknown") { ledger in
            let scene = try ledger.claimedChat()
            try ledger.run(
                MarkDelivered(ledger.id(), in: scene.session, to: .operator(.sam))
            )
        },
        RefusalScenario("MarkDelivered.ownMessage") { ledger in
            let scene = try ledger.claimedChat()
            let message = try ledger.run(ledger.message(in: scene))
            try ledger.run(
                MarkDelivered(message, in: scene.session, to: .caller(scene.caller))
            )
        },
        RefusalScenario("MarkDelivered.notYours") { ledger in
            let scene = try ledger.claimedChat()
            let message = try ledger.run(ledger.message(in: scene))
            try ledger.run(MarkDelivered(message, in: scene.session, to: .operator(.john)))
        },
        RefusalScenario("MarkSeen.unknown") { ledger in
            let scene = try ledger.claimedChat()
            try ledger.run(MarkSeen(upTo: ledger.id(), in: scene.session, by: .operator(.sam)))
        },
        RefusalScenario("MarkSeen.notYours") { ledger in
            let scene = try ledger.claimedChat()
            let message = try ledger.run(ledger.message(in: scene))
            try ledger.run(MarkSeen(upTo: message, in: scene.session, by: .operator(.john)))
        },
    ]

    static let places = [
        RefusalScenario("ReportLocation.unavailable") { ledger in
            try ledger.run(place(try ledger.closedChat()))
        },
        RefusalScenario("ReportLocation.notYours") { ledger in
            let session = try ledger.chat().session
            try ledger.run(place(Scene(session: session, caller: ledger.person())))
        },
        RefusalScenario("ReportLocation.requestUnknown") { ledger in
            try ledger.run(place(try ledger.chat(), request: ledger.id()))
        },
        RefusalScenario("ReportLocation.unacceptable") { ledger in
            try ledger.run(place(try ledger.chat(), at: Fix(latitude: 91, longitude: 0)))
        },
        RefusalScenario("ReportLocationUnavailable.unavailable") { ledger in
            try ledger.run(noPlace(try ledger.closedChat()))
        },
        RefusalScenario("ReportLocationUnavailable.notYours") { ledger in
            let session = try ledger.chat().session
            try ledger.run(noPlace(Scene(session: session, caller: ledger.person())))
        },
        RefusalScenario("ReportLocationUnavailable.requestUnknown") { ledger in
            try ledger.run(noPlace(try ledger.chat(), request: ledger.id()))
        },
    ]

    private static func place(
        _ scene: Scene,
        at fix: Fix = .birmingham,
        request: RequestID? = nil
    ) -> ReportLocation {
        ReportLocation(
            fix,
            in: scene.session,
            by: .caller(scene.caller),
            method: "gps",
            request: request
        )
    }

    private static func noPlace(
        _ scene: Scene,
        request: RequestID? = nil
    ) -> ReportLocationUnavailable {
        ReportLocationUnavailable(
            in: scene.session,
            by: .caller(scene.caller),
            reason: .timeout,
            request: request
        )
    }
}
