// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Whose a session is` {
    private struct Desk {
        let amina: TestGateway.Client
        let ben: TestGateway.Client
        let cem: TestGateway.Client
        let session: SessionID
        let path: String

        init(_ gateway: TestGateway) async throws {
            amina = try await gateway.user(.operator, login: "amina")
            ben = try await gateway.user(.operator, login: "ben")
            cem = try await gateway.user(.operator, login: "cem")
            session = try await gateway.openChat("+447712345678", codeBy: amina).session
            path = "/v1/sessions/\(session)"
            #expect(try await amina.post("\(path)/claim").status == 200)
        }
    }

    @Test func `passes on when the colleague accepts, and is private to the new owner then`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            let asked = try await desk.amina.post("\(desk.path)/requests", ["ask": "send_location"])
            let offer = ["to": desk.ben.id, "reason": "my shift ends"]
            let offered = try await desk.amina.post("\(desk.path)/offer", offer)
            #expect(offered.status == 201)

            // The colleague sees what is offered and why, and nothing of what was said; others do not.
            let position = try offered.text("position")
            let list = try await desk.ben.get("/v1/sessions", after: position)
            let told = try list.items.first?["offer"] as? [String: Any]
            #expect(told?["reason"] as? String == "my shift ends")
            #expect(try await desk.ben.get("\(desk.path)/transcript").status == 403)
            let others = try await desk.cem.get("/v1/sessions", after: position)
            #expect(try others.items.count == 1)
            #expect(!others.body.contains("my shift ends"))

            let answer = ["answer": "accepted"]
            #expect(try await desk.cem.post("\(desk.path)/offer/answer", answer).status == 409)
            let accepted = try await desk.ben.post("\(desk.path)/offer/answer", answer)
            #expect(accepted.status == 200)
            #expect(try await desk.amina.get("\(desk.path)/transcript").status == 403)
            let now = try await desk.ben.get(desk.path, after: accepted.text("position"))
            let session = try now.object["session"] as? [String: Any]
            let requests = try now.object["requests"] as? [[String: Any]]
            #expect(session?["owner"] as? String == desk.ben.id)
            #expect(try requests?.first?["id"] as? String == asked.text("request"))
        }
    }

    @Test func `given back, its caller waits for somebody`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            let given = try await desk.amina.post("\(desk.path)/release")
            #expect(given.status == 200)
            let released = try gateway.events(SessionReleased.kind)
                .compactMap { $0.fact.payload as? SessionReleased }
            #expect(released.map(\.reason) == [.givenBack])
            let list = try await desk.ben.get(
                "/v1/sessions?pending=true",
                after: given.text("position")
            )
            #expect(try list.items.first?["id"] as? String == "\(desk.session)")
        }
    }
}
