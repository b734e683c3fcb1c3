// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

private let number = "+447712345678"

@Suite(.timeLimit(.minutes(10))) struct `By whose word a phone is in a session` {
    @Test(arguments: [true, false])
    func `is that of who let in the phone that agreed to it`(isBefore: Bool) async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let path = try await amina.opened(number)
            let first = try await gateway.caller(number, codeBy: amina)
            let second = try await gateway.caller(number, codeBy: amina)
            let admit = "/v1/devices/\(second.id)/admit"
            if isBefore { #expect(try await first.post(admit).status == 200) }
            try await ben.take(path, from: amina)
            let caller = try await gateway.guest(by: try await ben.post("\(path)/links"))
            #expect(try await caller.says("somebody is here", in: path) == 201)
            #expect(try await first.get("\(path)/transcript").status == 404)
            // Who is shut out agrees to nobody, and ends nobody's phone but itself.
            if !isBefore { #expect(try await first.post(admit).status == 403) }
            #expect(try await first.ends(second) == 403)
            #expect(try await second.get("\(path)/transcript").status == 404)
            #expect(try await second.says("all is well", in: path) == 404)
            let shown = try await gateway.standings(in: path, for: ben)
            #expect(shown[second.id] == Shown(by: amina.id, isAdmitted: false))
            #expect(shown[caller.id] == Shown(by: ben.id, isAdmitted: true))
            #expect(try await ben.ends(second) == 204)
            #expect(try await second.get("/v1/me").status == 401)
        }
    }

    @Test func `is that of who gave its code, though that was before the session`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let mallory = try await gateway.user(.operator, login: "mallory")
            let early = try await gateway.caller(number, codeBy: mallory)
            let path = try await amina.opened(number)
            #expect(try await early.get("\(path)/transcript").status == 200)
            let caller = try await gateway.guest(by: try await amina.post("\(path)/links"))
            #expect(try await caller.says("he is in the next room", in: path) == 201)
            #expect(try await early.get("\(path)/transcript").status == 404)
            #expect(try await early.says("wrong number, sorry", in: path) == 404)
            let shown = try await gateway.standings(in: path, for: amina)
            #expect(shown[early.id] == Shown(by: mallory.id, isAdmitted: false))
            #expect(try await mallory.ends(early) == 403)
            #expect(try await amina.ends(early) == 204)
            #expect(try await early.get("/v1/me").status == 401)
        }
    }

    @Test func `is its own in what it began, beside an older phone of another operator's code`()
        async throws
    {
        try await TestGateway.run { gateway in
            let ben = try await gateway.user(.operator, login: "ben")
            let mallory = try await gateway.user(.operator, login: "mallory")
            let early = try await gateway.caller(number, codeBy: mallory)
            let (caller, session) = try await gateway.openChat(number, codeBy: mallory)
            let path = "/v1/sessions/\(session)"
            #expect(try await caller.says("he is in the next room", in: path) == 201)
            #expect(try await ben.post("\(path)/claim").status == 200)
            #expect(try await caller.get("\(path)/transcript").status == 200)
            #expect(try await early.get("\(path)/transcript").status == 404)
            #expect(try await early.ends(caller) == 403)
            let shown = try await gateway.standings(in: path, for: ben)
            #expect(shown[caller.id] == Shown(by: mallory.id, isAdmitted: true))
            #expect(shown[early.id] == Shown(by: mallory.id, isAdmitted: false))
        }
    }

    @Test func `shuts out who only listens of two that were there before, and never both`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let carol = try await gateway.user(.operator, login: "carol")
            let first = try await gateway.caller(number, codeBy: amina)
            let second = try await gateway.caller(number, codeBy: ben)
            let silent = try await gateway.caller(number, codeBy: ben)
            let path = try await ben.opened(number)
            #expect(try await ben.post("\(path)/release").status == 200)
            for phone in [first, second] {
                #expect(try await phone.says("help", in: path) == 201)
            }
            #expect(try await carol.post("\(path)/claim").status == 200)
            for (phone, status) in [(first, 200), (second, 200), (silent, 404)] {
                #expect(try await phone.get("\(path)/transcript").status == status)
            }
            let admit = "/v1/devices/\(silent.id)/admit"
            let session = String(path.dropFirst("/v1/sessions/".count))
            #expect(try await carol.post(admit, ["session": session]).status == 200)
            #expect(try await silent.get("\(path)/transcript").status == 200)
        }
    }

    @Test func `decides whether it sends into another phone's recording`() async throws {
        try await TestGateway.run { gateway in
            let call = try await VideoCall(gateway)
            let ben = try await gateway.user(.operator, login: "ben")
            let path = "/v1/sessions/\(call.session)"
            let guest = try await gateway.guest(by: try await call.sam.post("\(path)/links"))
            let own = try await guest.post("\(path)/streams", VideoCall.settings)
            #expect(own.status == 201)
            #expect(try await guest.get("/v1/streams/\(call.stream)").status == 200)
            try await ben.take(path, from: call.sam)
            #expect(try await guest.get("\(path)/transcript").status == 404)
            let theirs = "/v1/streams/\(call.stream)"
            #expect(try await guest.get(theirs).status == 404)
            let sent = try await gateway.send(
                .put,
                "\(theirs)/parts/0?offset=0",
                headers: [.authorization: "Bearer \(guest.token)"],
                bytes: try Videos.parts()[0]
            )
            #expect(sent.status == 403)
            #expect(try await guest.post("\(theirs)/stop").status == 403)
            #expect(try gateway.events(StreamStopped.kind).isEmpty)
            // What it films itself it may go on sending.
            let mine = "/v1/streams/\(try own.text("id"))"
            #expect(try await guest.get(mine).status == 200)
            #expect(try await guest.post("\(mine)/stop").status == 200)
            #expect(try await call.caller.post("\(theirs)/stop").status == 200)
        }
    }
}

/// What a session's owner is shown of a phone.
private struct Shown: Equatable {
    let by: String?
    let isAdmitted: Bool?
}

extension TestGateway {
    fileprivate func standings(
        in path: String,
        for client: Client
    ) async throws -> [String: Shown] {
        let shown = try await letIn(String(path.dropFirst("/v1/sessions/".count)), for: client)
        return Dictionary(
            uniqueKeysWithValues: shown.compactMap { one in
                (one["device"] as? String).map {
                    ($0, Shown(by: one["by"] as? String, isAdmitted: one["isAdmitted"] as? Bool))
                }
            }
        )
    }
}

extension TestGateway.Client {
    /// Opens a session for a number; its path.
    fileprivate func opened(_ number: String) async throws -> String {
        "/v1/sessions/\(try await post("/v1/sessions", ["phone": number]).text("session"))"
    }

    fileprivate func take(_ path: String, from other: Self) async throws {
        #expect(try await other.post("\(path)/release").status == 200)
        #expect(try await post("\(path)/claim").status == 200)
    }

    fileprivate func says(_ text: String, in path: String) async throws -> Int {
        try await post("\(path)/messages", ["text": text]).status
    }

    fileprivate func ends(_ phone: Self) async throws -> Int {
        try await send(.delete, "/v1/devices/\(phone.id)?reason=nobody%20I%20know").status
    }
}
