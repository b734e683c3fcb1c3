// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Logging
import Threads

/// Serves one `WS /v1/ws` connection: opens and ends topics as its page asks.
struct TopicSocket: Sendable {
    let ledger: Ledger
    let connection: WebSocketConnection
    let reader: Principal
    let limits: GatewayLimits

    /// What refusals are recorded as.
    static let attempt = "/v1/ws subscribe"

    /// Returns when the page leaves; throws what closes the connection.
    func run() async throws {
        let live = ledger.liveReader(reader)
        try await withThrowingDiscardingTaskGroup { group in
            var open: [Topic: TopicSubscription] = [:]
            group.addTask { await watch(live) }
            for await message in connection.messages {
                guard let request = try await request(in: message) else { continue }
                try await live.check()
                open = open.filter { !$0.value.ended.isRaised }
                switch request {
                case .unsubscribe(let topic):
                    await open.removeValue(forKey: topic)?.end()
                    try await connection.send(text: TopicFrame.unsubscribed(topic).json)
                case .subscribe(let topic, let after):
                    // Who was told that the topic ended may ask at once again.
                    if let before = open[topic], before.givesUp.isRaised {
                        await before.ended.wait()
                        open[topic] = nil
                    }
                    guard let start = try await start(topic, after: after, beside: open) else {
                        continue
                    }
                    let follower = TopicFollower(
                        ledger: ledger,
                        connection: connection,
                        subscription: TopicSubscription(topic),
                        rights: rights(of: topic),
                        live: live,
                        limits: limits
                    )
                    open[topic] = follower.subscription
                    group.addTask { await follower.run(from: start) }
                }
            }
            group.cancelAll()
        }
    }

    /// Closes the connection of somebody who is signed out, also while nothing happens.
    private func watch(_ live: LiveReader) async {
        do {
            try await live.untilEnd()
        } catch {
            let problem = ProblemTable.problem(for: error)
            await connection.close(problem.closeCode, reason: problem.type.slug)
        }
    }

    private func request(in message: WebSocketMessage) async throws -> TopicRequest? {
        guard case .text(let text) = message else {
            throw Problem(.unsupportedMediaType, detail: "frames of topics are JSON text")
        }
        do {
            return try JSONBody.value(TopicRequest.self, in: Data(text.utf8))
        } catch {
            let problem = ProblemTable.problem(for: error)
            try await connection.send(text: TopicFrame.error(topic: nil, problem).json)
            return nil
        }
    }

    /// Lets the page have a topic, and records that before anything of it leaves.
    ///
    /// - Returns: The first position to tell; `nil` when the page was told why not.
    private func start(
        _ topic: Topic,
        after: LogPosition?,
        beside open: [Topic: TopicSubscription]
    ) async throws -> LogPosition? {
        do {
            guard open[topic] == nil else { throw Problem.topicOpen(topic) }
            guard open.count < limits.topicsOfSocket else {
                throw Problem.tooManyTopics(limit: limits.topicsOfSocket)
            }
            let log = ledger.log
            let start =
                try after.map { try Cursor($0, "after", in: log).following }
                ?? LogPosition(log.size)
            _ = try rights(of: topic).sources()
            try await ledger.recordReading(
                of: topic.resource(for: reader),
                by: reader,
                for: "topic-opened"
            )
            return start
        } catch {
            await ledger.record(
                refusal: error,
                of: reader,
                from: topic.resource(for: reader),
                attempt: Self.attempt
            )
            let problem = ProblemTable.problem(for: error)
            if problem.isFault {
                connection.logger.error("a topic was not opened", metadata: ["error": "\(error)"])
            }
            try await connection.send(text: TopicFrame.error(topic: topic.name, problem).json)
            return nil
        }
    }

    private func rights(of topic: Topic) -> TopicRights {
        TopicRights(
            topic: topic,
            reader: reader,
            rights: ledger.rights,
            sessionsMost: limits.topicSessions
        )
    }
}

extension ProblemType {
    static let topicOpen = Self("topic-open", .conflict, "Subscribed already")
    static let tooManyTopics = Self("too-many-topics", .tooManyRequests, "Too many topics")
}

extension Problem {
    fileprivate static func topicOpen(_ topic: Topic) -> Problem {
        Problem(
            .topicOpen,
            detail: "\(topic.name) is told already; unsubscribe before beginning elsewhere"
        )
    }

    fileprivate static func tooManyTopics(limit: Int) -> Problem {
        Problem(
            .tooManyTopics,
            detail: "a socket has at most \(limit) topics; unsubscribe from one",
            facts: ["limit": .integer(limit)]
        )
    }
}
