// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A live topic` {
    @Test func `resumes by position after a break, without gap or double`() async throws {
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.limits.topicPageEntries = 4
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let otto = try await gateway.user(.auditor, login: "otto")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            try await play(
                "resume",
                [
                    "operator": amina.token, "caller": caller.token, "auditor": otto.token,
                    "session": "\(session)",
                ],
                on: gateway
            )
            #expect(Set(try gateway.purposes(of: amina)) == ["topic-opened", "topic-closed"])
        }
    }

    @Test func `of a session that another operator claims ends, and the refusals are recorded`()
        async throws
    {
        try await TestGateway.run {
            $0.policies.callersFilmAnytime = true
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let stream = try await gateway.stream(of: caller, in: session)
            try await play(
                "privacy",
                [
                    "owner": amina.token, "other": ben.token, "supervisor": sue.token,
                    "session": "\(session)", "incident": "\(incident)", "stream": stream,
                ],
                on: gateway
            )
            let refused = try gateway.events(AccessRefused.kind)
                .filter { $0.envelope.actor.text == "operator/\(ben.id)" }
                .compactMap { $0.fact.payload as? AccessRefused }
            #expect(refused.allSatisfy { $0.attempt == "/v1/ws subscribe" })
            #expect(refused.allSatisfy { $0.reason == .ownership })
            let resources = Set(refused.compactMap { $0.resource?.text })
            // Who names the incident by its session's id is refused the incident.
            #expect(
                // The incident by the id of its session is no subject, and not named.
                resources == [
                    "session/\(session)", "incident/\(incident)", "stream/\(stream)",
                ]
            )
        }
    }

    @Test func `of the desk says whom waiting chats alert`() async throws {
        try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let amina = try await gateway.signIn("amina")
            var sessions: [SessionID] = []
            for phone in ["+447712345678", "+447712345754"] {
                let (caller, session) = try await gateway.openChat(phone, codeBy: amina)
                _ = try await caller.post("/v1/sessions/\(session)/messages", ["text": "help"])
                sessions.append(session)
            }
            try await play(
                "alerts",
                [
                    "operator": amina.token, "supervisor": sue.token,
                    "session": "\(sessions[0])", "other": "\(sessions[1])",
                ],
                on: gateway
            )
        }
    }

    @Test func `of the desk tells an offer to whom it is made alone`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let cem = try await gateway.user(.operator, login: "cem")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            try await play(
                "handing",
                [
                    "owner": amina.token, "colleague": ben.token, "third": cem.token,
                    "session": "\(session)", "to": ben.id,
                ],
                on: gateway
            )
        }
    }

    @Test func `of an incident tells of a session that is linked meanwhile`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (first, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let (second, other) = try await gateway.openChat("+447712345754", codeBy: amina)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            try await play(
                "together",
                [
                    "operator": amina.token, "caller": first.token, "second": second.token,
                    "session": "\(session)", "other": "\(other)", "incident": "\(incident)",
                ],
                on: gateway
            )
        }
    }

    @Test(arguments: [
        (#"{"type":"subscribe","topic":"all"}"#, "a topic is desk, me, reports, session/ID"),
        (#"{"type":"listen","topic":"desk"}"#, "the type is subscribe or unsubscribe"),
        (#"{"type":"subscribe","topic":"desk","after":"-1"}"#, "after is the position"),
        (#"{"type":"subscribe"}"#, "/topic is missing"),
    ])
    func `is asked for in a frame, and what is wrong with that is told`(
        frame: String,
        words: String
    ) throws {
        let error = try #require(throws: (any Error).self) {
            try JSONDecoder().decode(TopicRequest.self, from: Data(frame.utf8))
        }
        let problem = ProblemTable.problem(for: error)
        #expect(problem.type == .malformedJSON)
        #expect(problem.detail?.hasPrefix(words) == true, "\(problem.detail ?? "nothing")")
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `has the same entries whether they are read by the indexes or from the end`(
        start: UInt64
    ) async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            var sessions: [SessionID] = []
            for number in 0..<3 {
                let (caller, session) = try await gateway.openChat(
                    "+44771234560\(number)",
                    codeBy: amina
                )
                sessions.append(session)
                _ = try await caller.post("/v1/sessions/\(session)/messages", ["text": "help"])
            }
            let log = gateway.ledger.log
            let end = LogPosition(log.size)
            let begin = LogPosition(log.size * start / 4)
            let choices: [Set<LiveSource>] = [
                [.category("session"), .category("incident"), .kind(StreamStarted.kind)],
                [.subject(.session(sessions[0])), .subject(.session(sessions[2]))],
                [.kind(SessionCreated.kind)], [],
            ]
            for sources in choices {
                var told: [[LogPosition]] = []
                for pageEntries in [1, 3, Int(log.size)] {
                    var reader = TopicReader(log, from: begin, pageEntries: pageEntries)
                    var positions: [LogPosition] = []
                    while true {
                        let page = try reader.page(of: sources, before: end)
                        if page.isEmpty { break }
                        positions += page.map(\.envelope.position)
                    }
                    #expect(reader.next == end)
                    told.append(positions)
                }
                #expect(told[0] == told[2] && told[1] == told[2])
            }
        }
    }

    @Test func `is limited, tells its position, and answers nonsense in words`() async throws {
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.limits.topicsOfSocket = 2
            configuration.limits.topicPosition = .milliseconds(60)
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let gus = try await gateway.user(.guard, login: "gus")
            let rita = try await gateway.user(.reporter, login: "rita")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            try await play(
                "manners",
                [
                    "operator": amina.token, "caller": caller.token, "guard": gus.token,
                    "reporter": rita.token, "session": "\(session)",
                    "nothing": "0199e0c0-0000-7000-8000-000000000000",
                ],
                on: gateway
            )
        }
    }

    @Test func `tells a caller of the session that an operator opens`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let other = try await gateway.caller("+447712345754", codeBy: amina)
            try await play(
                "own",
                [
                    "operator": amina.token, "caller": caller.token, "other": other.token,
                    "phone": "+447712345678",
                ],
                on: gateway
            )
        }
    }

    @Test func `ends with its reader's sign-in`() async throws {
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.limits.topicPosition = .milliseconds(100)
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let page = Task {
                try await play(
                    "signed-out",
                    ["operator": amina.token, "idle": ben.token],
                    on: gateway
                )
            }
            _ = try await gateway.firstEntry(of: "access.read/1") {}
            let accounts = gateway.ledger.accounts
            for client in [amina, ben] {
                let principal = try await accounts.authenticate(client.token)
                try await accounts.revoke(tokenID: principal.tokenID)
            }
            try await page.value
        }
    }
}

/// Plays a scenario of `topics.py` against a gateway's port.
private func play(
    _ scenario: String,
    _ names: [String: String],
    on gateway: TestGateway
) async throws {
    try await run(
        "python3",
        [tool("topics.py"), scenario, "\(gateway.port)"] + names.map { "\($0)=\($1)" }
    )
}

extension TestGateway {
    /// Signs somebody in by password, as people do.
    fileprivate func signIn(_ login: String) async throws -> Client {
        let answer = try await send(
            .post,
            "/v1/auth/login",
            body: Self.json(["login": login, "password": "correct horse battery"])
        )
        return Client(gateway: self, token: try answer.text("token"), id: "")
    }

    /// What for somebody read.
    fileprivate func purposes(of client: Client) throws -> [String] {
        try events("access.read/1").filter { $0.envelope.actor.text.hasSuffix(client.id) }
            .compactMap { ($0.fact.payload as? AccessRead)?.purpose }
    }

    /// A stream that a caller's phone begins.
    fileprivate func stream(of caller: Client, in session: SessionID) async throws -> String {
        let answer = try await caller.post(
            "/v1/sessions/\(session)/streams",
            [
                "width": 640, "height": 360, "framesPerSecond": 30, "kilobitsPerSecond": 1000,
                "quality": "medium",
            ]
        )
        return try answer.text("id")
    }
}
