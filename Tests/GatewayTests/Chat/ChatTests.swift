// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing
import Threads

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The chat socket` {
    @Test func `speaks the source's frames, literally, on both sides`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let fixtures = URL(filePath: tool("")).deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "fixtures/chat").path
            try await run(
                "python3",
                [tool("chat_replay.py"), "\(gateway.port)", caller.token, amina.token, fixtures]
            )
            #expect(try gateway.events("chat.message_sent/1").count == 3)
            #expect(try gateway.events("chat.message_delivered/1").count == 3)
            #expect(try gateway.events("chat.message_rejected/1").count == 1)
            #expect(try gateway.events("session.created/1").count == 1)
        }
    }

    @Test func `tells who lost a session, and goes on telling when it is theirs again`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let john = try await gateway.user(.operator, login: "john")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            try await run(
                "python3",
                [
                    tool("chat_regained.py"), "\(gateway.port)", amina.token, john.token,
                    caller.token, "\(session)",
                ]
            )
            #expect(try gateway.events("session.claimed/1").count == 3)
        }
    }

    @Test func `opens as many chats as one may open, and stays in those that are open`()
        async throws
    {
        try await TestGateway.run { configuration in
            configuration.limits.chatOpeningsOfPrincipal = Rate(
                burst: 3,
                perSecond: 0.0001
            )
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let other = try await gateway.caller("+447712345679", codeBy: amina)
            try await run(
                "python3",
                [tool("chat_openings.py"), "\(gateway.port)", "3", caller.token, other.token]
            )
            #expect(try gateway.events("session.created/1").count == 2, "one of each")
            let told = try gateway.events(AccessRefused.kind)
                .compactMap { $0.fact.payload as? AccessRefused }.filter { $0.reason == .rate }
            #expect(!told.isEmpty)
            #expect(told.allSatisfy { $0.attempt.hasPrefix("/chat ") })
        }
    }
}

@Suite struct `What one side of a chat is told` {
    private let caller: PersonID
    private var events: [RecordedEvent] = []

    init() {
        var chance = SystemRandomNumberGenerator()
        caller = PersonID(at: Timestamp(microseconds: 1), using: &chance)
    }

    @Test mutating func `is each message of the other side once, until it was delivered`() {
        let message = sent(from: .operator, "on its way")
        var view = ChatView(of: .caller)
        for event in events { view.take(event) }
        #expect(view.takeNews().arrived.map(\.id) == [message])
        #expect(view.takeNews().arrived.isEmpty)
        add(.messageDelivered(ChatMessageDelivered(message: message, to: .caller)))
        var reconnected = ChatView(of: .caller)
        for event in events { reconnected.take(event) }
        #expect(reconnected.takeNews().arrived.isEmpty)
    }

    @Test mutating func `is which own messages were seen, each once`() {
        let first = sent(from: .caller, "ambulance")
        _ = sent(from: .operator, "where?")
        let second = sent(from: .caller, "outside post office")
        add(.messageSeen(ChatMessageSeen(upTo: first, by: .operator)))
        var view = ChatView(of: .caller)
        for event in events { view.take(event) }
        #expect(view.takeNews().seen == [first])
        add(.messageSeen(ChatMessageSeen(upTo: second, by: .operator)))
        events.last.map { view.take($0) }
        #expect(view.takeNews().seen == [second])
    }

    private mutating func sent(from side: Party, _ text: String) -> MessageID {
        var chance = SystemRandomNumberGenerator()
        let id = MessageID(at: Timestamp(microseconds: 1), using: &chance)
        add(
            .messageSent(
                ChatMessageSent(
                    message: id,
                    temporaryID: "t\(events.count)",
                    from: side,
                    text: .open(text, of: caller),
                    clientTimestamp: "437647234",
                    channel: .webSocket
                )
            )
        )
        return id
    }

    private mutating func add(_ event: ChatEvent) {
        var chance = SystemRandomNumberGenerator()
        let session = SessionID(at: Timestamp(microseconds: 1), using: &chance)
        let envelope = Envelope(
            id: EventID(at: Timestamp(microseconds: 1), using: &chance),
            subject: .session(session),
            kind: Fact.chat(event).kind,
            position: LogPosition(UInt64(events.count)),
            revision: Revision(UInt64(events.count)),
            time: Timestamp(microseconds: 1),
            actor: .ledger,
            command: CommandID(unchecked: "c\(events.count)"),
            source: "test.example/main"
        )
        events.append(RecordedEvent(envelope: envelope, fact: .chat(event)))
    }
}

@Suite struct `A chat frame that cannot be read` {
    @Test(arguments: [
        (#"{"TempMessageID":"a-1","IncidentID":"i","Message":"so \ud83d"}"#, "a-1"),
        (#"{"Message":"\uDE00 and \ud83d\ude00","TempMessageID":"a-2","IncidentID":"i"}"#, "a-2"),
        (#"{"Type":"message","Message":5,"TempMessageID":"a-3","IncidentID":"i"}"#, "a-3"),
        (#"{"Type":"message","TempMessageID":7,"IncidentID":"i"}"#, nil),
    ])
    func `says which message it would have been`(_ frame: String, _ name: String?) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ChatRequest.self, from: Data(frame.utf8))
        }
        let found = ChatRequest.Name(in: frame)
        #expect(found.temporaryMessageID == name)
        #expect(found.incidentID == "i")
    }

    @Test(arguments: ["", "[]", "{", #"{"TempMessageID":"a"#])
    func `says nothing where it names nothing`(_ frame: String) {
        #expect(ChatRequest.Name(in: frame) == ChatRequest.Name())
    }
}
