// SPDX-License-Identifier: Apache-2.0
import Commands
import Dispatch
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Whoever holds the body of a request back keeps no right that ends meanwhile (decision 0075).
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A right that ends while the body comes`
{
    @Test func `gives no token of an account that became an admin's`() async throws {
        try await TestGateway.run { gateway in
            let root = try await gateway.user(.admin, login: "root")
            let olga = try await gateway.user(.organisationAdmin, login: "olga")
            let robot = try await gateway.user(.service, login: "robot")
            let path = "/v1/users/\(robot.id)/tokens"
            let body = ["password": "correct horse battery"]
            #expect(try await olga.post(path, body).status == 201)
            let held = try await olga.send(.post, path, body) {
                try await root.change(robot, ["role": "admin", "reason": "x"])
            }
            #expect(held.status == 403)
            #expect(try await olga.post(path, body).status == 403)
        }
    }

    @Test(arguments: [["role": "operator"], ["disabled": "true"], [:]])
    func `gives no token to who is demoted, disabled or signed out`(
        change: [String: String]
    ) async throws {
        try await TestGateway.run { gateway in
            let root = try await gateway.user(.admin, login: "root")
            let olga = try await gateway.user(.organisationAdmin, login: "olga")
            let robot = try await gateway.user(.service, login: "robot")
            let path = "/v1/users/\(robot.id)/tokens"
            let body = ["password": "correct horse battery"]
            let issued = try gateway.events("user.token_issued/1").count
            let held = try await olga.send(.post, path, body) {
                guard !change.isEmpty else {
                    #expect(try await olga.post("/v1/auth/logout").status == 200)
                    return
                }
                var asked: [String: any Sendable] = ["reason": "x"]
                if let role = change["role"] {
                    asked["role"] = role
                } else {
                    asked["disabled"] = true
                }
                try await root.change(olga, asked)
            }
            #expect(held.status == 401)
            #expect(try gateway.events("user.token_issued/1").count == issued)
        }
    }

    @Test func `changes no account that became an admin's, and sets it no password`() async throws {
        try await TestGateway.run { gateway in
            let root = try await gateway.user(.admin, login: "root")
            let olga = try await gateway.user(.organisationAdmin, login: "olga")
            for (login, change) in [
                ("ulf", ["disabled": true, "reason": "x"] as [String: any Sendable]),
                ("uma", ["role": "guard", "reason": "x"]),
            ] {
                let user = try await gateway.user(.operator, login: login)
                let path = "/v1/users/\(user.id)"
                let held = try await olga.send(.patch, path, change) {
                    try await root.change(user, ["role": "admin", "reason": "promoted"])
                }
                #expect(held.status == 403)
                let now = try await gateway.ledger.accounts.user(id: user.id)
                #expect(now.role == .admin && !now.isDisabled)
            }
        }
    }

    @Test(arguments: ["messages", "locations", "consents"])
    func `lets nobody speak for a caller from whom they were shut out`(what: String) async throws {
        try await TestGateway.run { gateway in
            let ann = try await gateway.user(.operator, login: "ann")
            let bob = try await gateway.user(.operator, login: "bob")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: bob)
            let path = "/v1/sessions/\(session)"
            #expect(try await caller.post("\(path)/messages", ["text": "help"]).status == 201)
            #expect(try await ann.post("\(path)/claim").status == 200)
            let guest = try await gateway.guest(of: session, byLinkOf: ann)
            #expect(try await ann.post("\(path)/release").status == 200)
            let body = Self.spoken(what)
            let size = Mutex(UInt64(0))
            let held = try await guest.send(.post, "\(path)/\(what)", body) {
                try await bob.claim(session)
                size.withLock { $0 = gateway.ledger.log.size }
            }
            #expect(held.status == 404)
            #expect(try await guest.post("\(path)/\(what)", body).status == 404)
            let after = try gateway.ledger.log.entries(from: LogPosition(size.withLock { $0 }))
            #expect(after.allSatisfy { $0.envelope.subject != .session(session) })
        }
    }

    private static func spoken(_ what: String) -> [String: any Sendable] {
        let fix: [String: any Sendable] = [
            "latitude": 10.0, "longitude": 10.0, "accuracyMetres": 5.0,
        ]
        return switch what {
        case "messages": ["text": "false words"]
        case "locations": ["fix": fix]
        default: ["scope": "video", "decision": "granted", "textVersion": "1"]
        }
    }

    @Test(arguments: ["merge", "sessions", "address", "classification", "notes"])
    func `joins and writes nothing that somebody claimed`(what: String) async throws {
        try await TestGateway.run { gateway in
            let ann = try await gateway.user(.operator, login: "ann")
            let bob = try await gateway.user(.operator, login: "bob")
            let (_, own) = try await gateway.openChat("+447712345670", codeBy: ann)
            #expect(try await ann.post("/v1/sessions/\(own)/claim").status == 200)
            let mine = try #require(try gateway.ledger.rights.incident(of: own))
            let (_, session) = try await gateway.openChat("+447712345680", codeBy: bob)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let (method, body): (HTTPRequest.Method, [String: any Sendable]) =
                switch what {
                case "merge": (.post, ["incident": "\(mine)", "reason": "r"])
                case "sessions": (.post, ["session": "\(own)"])
                case "address": (.put, ["address": "Wrong Street 1"])
                case "classification": (.put, ["type": "hoax", "priority": 5])
                default: (.post, ["text": "not true"])
                }
            let path = "/v1/incidents/\(incident)/\(what)"
            let held = try await ann.send(method, path, body) {
                try await bob.claim(session)
            }
            #expect(held.status == 403)
            #expect(try await ann.send(method, path, body).status == 403)
            #expect(try gateway.ledger.rights.incident(of: own) == mine)
        }
    }

    @Test func `moves nothing that somebody claimed`() async throws {
        try await TestGateway.run { gateway in
            let ann = try await gateway.user(.operator, login: "ann")
            let bob = try await gateway.user(.operator, login: "bob")
            let (_, own) = try await gateway.openChat("+447712345670", codeBy: ann)
            #expect(try await ann.post("/v1/sessions/\(own)/claim").status == 200)
            let mine = try #require(try gateway.ledger.rights.incident(of: own))
            let (_, session) = try await gateway.openChat("+447712345680", codeBy: bob)
            let held = try await ann.send(
                .post,
                "/v1/incidents/\(mine)/sessions",
                ["session": "\(session)"]
            ) {
                try await bob.claim(session)
            }
            #expect(held.status == 403)
            #expect(try gateway.ledger.rights.incident(of: session) != mine)
        }
    }

    @Test func `ends also between the decision and the append`() async throws {
        try await TestGateway.run { gateway in
            let ann = try await gateway.user(.operator, login: "ann")
            let bob = try await gateway.user(.operator, login: "bob")
            let (_, session) = try await gateway.openChat("+447712345670", codeBy: ann)
            let ledger = gateway.ledger
            let incident = try #require(try ledger.rights.incident(of: session))
            var context = ledger.context(of: try await ledger.accounts.authenticate(ann.token))
            let asked = Mutex(0)
            context.right = { states in
                guard try states.current(Commands.Session.self, session).owner == nil else {
                    throw Taken()
                }
                guard
                    asked.withLock({
                        $0 += 1
                        return $0 == 1
                    })
                else { return }
                let claimed = DispatchSemaphore(value: 0)
                Task.detached {
                    defer { claimed.signal() }
                    try await bob.claim(session)
                }
                claimed.wait()
            }
            let address = SetAddress(incident, address: "Wrong Street 1", source: .operator)
            await #expect(throws: Taken.self) {
                try await ledger.handler.handle(address, context)
            }
            #expect(try gateway.events(IncidentAddressSet.kind).isEmpty)
        }
    }

    private struct Taken: Error {}
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Who writes about an incident` {
    /// Address, class and note alike.
    @Test func `has, or had last, one of its sessions, or supervises`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let john = try await gateway.user(.operator, login: "john")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let written: [(HTTPRequest.Method, String, [String: any Sendable])] = [
                (.put, "address", ["address": "94 Broad Street"]),
                (.put, "classification", ["type": "fire", "priority": 2]),
                (.post, "notes", ["text": "ring twice"]),
            ]
            func may(_ client: TestGateway.Client) async throws -> Set<Bool> {
                var answers: Set<Bool> = []
                for (method, what, body) in written {
                    let path = "/v1/incidents/\(incident)/\(what)"
                    let status = try await client.send(method, path, body).status
                    #expect([200, 201, 403].contains(status), "\(what)")
                    answers.insert(status != 403)
                }
                return answers
            }
            #expect(try await may(john) == [false])
            #expect(try await may(sue) == [true])
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            #expect(try await may(amina) == [true])
            #expect(try await may(john) == [false])
            #expect(try await amina.post("/v1/sessions/\(session)/close").status == 200)
            #expect(try await may(amina) == [true])
            #expect(try await john.get("/v1/incidents/\(incident)").status == 200)
            #expect(try await may(john) == [false])
        }
    }
}

extension TestGateway.Client {
    /// Sends head and one byte; when the gateway waits for the rest, something happens, and then it comes.
    fileprivate func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [String: any Sendable],
        after happening: @escaping @Sendable () async throws -> Void
    ) async throws -> TestAnswer {
        let held = HeldBody(bytes: Array(try TestGateway.json(body).utf8), happening: happening)
        let headers: HTTPFields = [
            .authorization: "Bearer \(token)", .contentType: "application/json",
        ]
        let body = RequestBody(asyncSequence: held)
        let answer = try await gateway.send(method, path, headers: headers, body)
        #expect(held.hasHappened, "nobody waited for the body of \(path)")
        return answer
    }

    fileprivate func claim(_ session: SessionID) async throws {
        #expect(try await post("/v1/sessions/\(session)/claim").status == 200)
    }

    fileprivate func change(
        _ user: TestGateway.Client,
        _ change: [String: any Sendable]
    ) async throws {
        #expect(try await send(.patch, "/v1/users/\(user.id)", change).status == 200)
    }
}

extension TestGateway {
    /// Whoever opens a one-use link to a session.
    fileprivate func guest(of session: SessionID, byLinkOf owner: Client) async throws -> Client {
        let link = try await owner.post("/v1/sessions/\(session)/links")
        let opened = try await send(
            .post,
            "/v1/links/use",
            body: Self.json(["link": link.text("path"), "code": link.text("code")])
        )
        return Client(gateway: self, token: try opened.text("token"), id: try opened.text("device"))
    }
}

/// A body of which the rest comes when something has happened.
private final class HeldBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let bytes: [UInt8]
    private let happening: @Sendable () async throws -> Void
    private let state = Mutex(false)

    init(bytes: [UInt8], happening: @escaping @Sendable () async throws -> Void) {
        self.bytes = bytes
        self.happening = happening
    }

    var hasHappened: Bool { state.withLock { $0 } }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        let body: HeldBody
        var pieces = 0

        @concurrent
        mutating func next() async throws -> ByteBuffer? {
            pieces += 1
            switch pieces {
            case 1: return ByteBuffer(bytes: body.bytes.prefix(1))
            case 2:
                try await body.happening()
                body.state.withLock { $0 = true }
                return ByteBuffer(bytes: body.bytes.dropFirst())
            default: return nil
            }
        }
    }
}
