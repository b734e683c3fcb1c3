// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `A camera` {
    private static func body(_ more: [String: any Sendable] = [:]) -> [String: any Sendable] {
        let viewers: [[String: any Sendable]] = [
            ["role": "guard", "fromMinute": 0, "untilMinute": 1440]
        ]
        let frame = ["x": 10, "y": 20, "width": 640, "height": 480]
        let body: [String: any Sendable] = [
            "site": "Plant", "number": 1, "name": "Gate", "floor": 0, "latitude": 52.5163,
            "longitude": 13.3777, "source": "rtsp", "address": "rtsp://10.0.0.7/live",
            "user": "viewer", "password": "very secret", "width": 640, "height": 360,
            "framesPerSecond": 10, "kilobitsPerSecond": 500, "keptDays": 30,
            "keptBytes": 1 << 30, "frame": frame, "neighbours": ["up": 2], "notice": "mind the dog",
            "viewers": viewers, "isOn": false,
        ]
        return body.merging(more) { $1 }
    }

    private static func set(
        _ client: TestGateway.Client,
        _ camera: CameraID,
        _ more: [String: any Sendable] = [:]
    ) async throws -> TestAnswer {
        try await client.send(.put, "/v1/cameras/\(camera)", body(more))
    }

    @Test func `is set up by who manages, and its password is told to nobody`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let camera: CameraID = gateway.ledger.newID()
            #expect(try await Self.set(admin, camera).status == 200)
            let listed = try await admin.get("/v1/cameras", after: gateway.newest)
            #expect(!listed.body.contains("very secret"))
            let settings = try listed.items.first?["settings"] as? [String: Any]
            #expect(settings?["hasPassword"] as? Bool == true)
            #expect(settings?["address"] as? String == "rtsp://10.0.0.7/live")
            let event = try #require(try gateway.events(CameraSet.kind).first)
            guard case .camera(.set(let set)) = event.fact else { return }
            #expect(set.settings.secret != nil && set.settings.secret != "very secret")
            let password = set.settings.secret.flatMap {
                gateway.ledger.deliverySecrets.password($0)
            }
            #expect(password == "very secret")
            // The same again is nothing new, also by its password.
            #expect(try await Self.set(admin, camera).status == 200)
            #expect(try gateway.events(CameraSet.kind).count == 1)
            let guardian = try await gateway.user(.guard, login: "gita")
            #expect(try await Self.set(guardian, camera).status == 403)
        }
    }

    @Test(arguments: [
        "rtsp://192.0.2.7/live", "rtsp://camera.example/live", "rtsp://[2001:db8::7]/live",
        "http://10.0.0.7/live", "rtsp://viewer:secret@10.0.0.7/live",
    ])
    func `lies in the networks of cameras, and names no user`(address: String) async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let answer = try await Self.set(admin, gateway.ledger.newID(), ["address": address])
            #expect([400, 422].contains(answer.status))
            #expect(try gateway.events(CameraSet.kind).isEmpty)
        }
    }

    @Test func `of another organisation is not set up, nor is its channel, and none is read there`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let other = try await gateway.user(.organisationAdmin, login: "olaf", org: "north")
            let stranger = try await gateway.user(.guard, login: "gus", org: "north")
            let (camera, channel): (CameraID, ChannelID) = (
                gateway.ledger.newID(), gateway.ledger.newID()
            )
            let set =
                ["name": "Nights", "members": ["guard"], "isOpen": true]
                as [String: any Sendable]
            #expect(try await Self.set(admin, camera).status == 200)
            #expect(try await admin.send(.put, "/v1/channels/\(channel)", set).status == 200)
            #expect(try await Self.set(other, camera, ["name": "Mine"]).status == 404)
            #expect(try await other.send(.put, "/v1/channels/\(channel)", set).status == 404)
            for (path, body) in [("read", ["through": 0]), ("messages", ["text": "hello"])]
                as [(String, [String: any Sendable])]
            {
                let answer = try await stranger.post("/v1/channels/\(channel)/\(path)", body)
                #expect(answer.status == 404)
            }
            #expect(try gateway.events(CameraSet.kind).count == 1)
            #expect(try gateway.events(ChannelSet.kind).count == 1)
            #expect(try gateway.events(ChannelRead.kind).isEmpty)
        }
    }

    @Test func `has a number of its own in its site`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await Self.set(admin, gateway.ledger.newID()).status == 200)
            #expect(try await Self.set(admin, gateway.ledger.newID()).status == 400)
            let elsewhere = try await Self.set(admin, gateway.ledger.newID(), ["site": "Yard"])
            #expect(elsewhere.status == 200)
        }
    }

    @Test func `is looked at by the roles that it names, at their hours, in its organisation`()
        async throws
    {
        let clock = TestClock(try #require(Timestamp("2026-11-28T21:30:00.000000Z")))
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
        } _: { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let guardian = try await gateway.user(.guard, login: "gita")
            let other = try await gateway.user(.guard, login: "nils", org: "north")
            let camera: CameraID = gateway.ledger.newID()
            let path = "/v1/cameras/\(camera)/footage"
            #expect(try await Self.set(admin, camera).status == 200)
            #expect(try await guardian.get(path).status == 200)
            #expect(try await admin.get(path).status == 403)
            #expect(try await other.get(path).status == 404)
            #expect(try await other.get("/v1/cameras", after: gateway.newest).items.isEmpty)
            let byDay: [[String: any Sendable]] = [
                ["role": "guard", "fromMinute": 360, "untilMinute": 1290]
            ]
            #expect(try await Self.set(admin, camera, ["viewers": byDay]).status == 200)
            #expect(try await guardian.get(path).status == 403)
            let listed = try await guardian.get("/v1/cameras", after: gateway.newest).items
            #expect(listed.first?["mayLook"] as? Bool == false && listed.first?["settings"] == nil)
            let byNight: [[String: any Sendable]] = [
                ["role": "guard", "fromMinute": 1290, "untilMinute": 360]
            ]
            #expect(try await Self.set(admin, camera, ["viewers": byNight]).status == 200)
            #expect(try await guardian.get(path).status == 200)
        }
    }

    @Test func `nearby comes first, and those far away not at all`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            for (number, latitude) in [(1, 52.5163), (2, 52.5170), (3, 52.6)] {
                let more: [String: any Sendable] = ["number": number, "latitude": latitude]
                _ = try await Self.set(admin, gateway.ledger.newID(), more)
            }
            let near = "/v1/cameras?near=52.5171,13.3777&metres=200"
            let found = try await admin.get(near, after: gateway.newest).items
            #expect(found.compactMap { $0["number"] as? Int } == [2, 1])
            let metres = found.compactMap { $0["metres"] as? Double }
            #expect(metres.map { Int($0) } == [11, 89])
            #expect(try await admin.get("/v1/cameras?near=91,0").status == 400)
        }
    }

    @Test func `stands in the site's plan, which goes out as it came in`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let plan = """
                {"Number_of_cams":2,"Cams":[{"Cam_id":1,"Cam_farme_size":"640x480",\
                "Cam_x_coordination":10,"Cam_y_coordination":20,"Cam_floor":0,\
                "Cam_neighborhood_up":2,"Cam_neighborhood_down":null,"Cam_neighborhood_left":null,\
                "Cam_neighborhood_right":null,"Cam_reminder_notice":"mind the dog",\
                "Cam_animation_style":"curl"},{"Cam_id":2,"Cam_farme_size":"320x240",\
                "Cam_x_coordination":0,"Cam_y_coordination":0,"Cam_floor":1,\
                "Cam_neighborhood_up":null,"Cam_neighborhood_down":1,"Cam_neighborhood_left":null,\
                "Cam_neighborhood_right":null,"Cam_reminder_notice":"","Cam_animation_style":""}]}
                """
            let known: CameraID = gateway.ledger.newID()
            _ = try await Self.set(admin, known)
            let path = "/v1/sites/Plant/cams.json"
            let body = try JSONSerialization.jsonObject(with: Data(plan.utf8))
            let sent = try await admin.put(path, json: plan)
            #expect(sent.status == 200)
            #expect(try sent.object["changed"] as? Int == 1 && sent.object["made"] as? Int == 1)
            let out = try await admin.get(path, after: gateway.newest)
            let told = try JSONSerialization.jsonObject(with: Data(out.body.utf8))
            #expect(told as? NSDictionary == body as? NSDictionary)
            // What the plan says nothing of is as it was.
            let kept = try gateway.ledger.handler.current(Camera.self, known).settings
            #expect(kept?.address == "rtsp://10.0.0.7/live" && kept?.animation == "curl")
            let sites = try await admin.get("/v1/sites", after: gateway.newest).items
            #expect(sites.first?["floors"] as? [Int] == [0, 1])
            for wrong in [
                plan.replacing("\"Number_of_cams\":2", with: "\"Number_of_cams\":3"),
                plan.replacing("320x240", with: "wide"),
                plan.replacing("Cam_id\":2", with: "Cam_id\":1"),
            ] {
                #expect(try await admin.put(path, json: wrong).status == 400)
            }
        }
    }
}

extension TestGateway.Client {
    fileprivate func put(_ path: String, json: String) async throws -> TestAnswer {
        let body = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
        return try await gateway.send(
            .put,
            path,
            headers: [.authorization: "Bearer \(token)"],
            body: TestGateway.json(body)
        )
    }
}
