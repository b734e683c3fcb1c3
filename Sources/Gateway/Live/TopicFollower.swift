// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import Threads

/// Tells one page what happens on one topic: in the order of the log, without a gap, each event
/// once; and at least every ``GatewayLimits/topicPosition`` how far it has told.
///
/// It holds one page of entries and waits until the peer took them: a slow peer is told later, and
/// costs no memory.
struct TopicFollower: Sendable {
    let ledger: Ledger
    let connection: WebSocketConnection
    let subscription: TopicSubscription
    let rights: TopicRights
    let live: LiveReader
    let limits: GatewayLimits

    private var topic: Topic { subscription.topic }

    /// Follows until the subscription, the connection or the log ends, or the reader loses the right.
    ///
    /// - Parameter start: The first position to tell.
    func run(from start: LogPosition) async {
        await withTaskGroup { group in
            group.addTask { await tick() }
            await follow(from: start)
            group.cancelAll()
        }
        subscription.ended.raise()
    }

    /// Wakes the follower in time for telling the position.
    private func tick() async {
        do {
            while true {
                try await Task.sleep(for: limits.topicPosition / 3)
                subscription.bell.yield()
            }
        } catch {
            // Cancelled: the following has ended.
        }
    }

    private func follow(from start: LogPosition) async {
        var tickets: [BellTicket] = []
        do {
            let alerting = try await alerting()
            let position = start.rawValue.checkedPrevious
            try await connection.send(
                text: TopicFrame.subscribed(topic, position: position, alerting: alerting).json
            )
            try await tell(from: start, told: alerting, listeningBy: &tickets)
        } catch is WebSocketClosed {
            // The page left.
        } catch is CancellationError {
            // So did the socket.
        } catch {
            await end(with: error)
        }
        for ticket in tickets { ledger.bells.leave(ticket) }
        await recordEnd()
    }

    /// Whether pending chats are to alert the reader now; `nil` where that is no question.
    private func alerting() async throws -> Bool? {
        guard topic == .desk else { return nil }
        return try await PendingAlerts(ledger: ledger).concern(rights.reader)
    }

    private func tell(
        from start: LogPosition,
        told: Bool?,
        listeningBy tickets: inout [BellTicket]
    ) async throws {
        var told = told
        var reader = TopicReader(ledger.log, from: start, pageEntries: limits.topicPageEntries)
        var sources: Set<LiveSource> = []
        var toldAt = ContinuousClock.now
        for await _ in subscription.wakes {
            if subscription.isEnding { return }
            var page = try await page(of: &reader, &sources, &tickets)
            var alerting: Bool?
            repeat {
                // As of behind the page; what changes it later rings again.
                alerting = try await self.alerting()
                if try await send(page, alerting) { (toldAt, told) = (.now, alerting) }
                if !page.isEmpty { page = try await self.page(of: &reader, &sources, &tickets) }
            } while !page.isEmpty && !subscription.isEnding
            if subscription.isEnding { return }
            try await live.check()
            if alerting != told || ContinuousClock.now - toldAt >= limits.topicPosition * 2 / 3 {
                let position = reader.next.rawValue.checkedPrevious
                let frame = TopicFrame.position(topic, position, alerting: alerting)
                try await connection.send(text: frame.json)
                (toldAt, told) = (.now, alerting)
            }
        }
    }

    /// What is to be told next, to somebody who is still signed in and may have it.
    private func page(
        of reader: inout TopicReader,
        _ sources: inout Set<LiveSource>,
        _ tickets: inout [BellTicket]
    ) async throws -> [Entry] {
        try await live.check()
        // Others go on in between: a page of which nothing is told suspends nowhere else.
        await Task.yield()
        let end = try level(&sources, &tickets)
        return try reader.page(of: sources, before: end)
    }

    /// Finds out where the topic's entries stand, and listens there.
    ///
    /// - Returns: How far they may be read: whatever made a source one stands before this, and
    ///   whatever comes behind it rings.
    private func level(
        _ sources: inout Set<LiveSource>,
        _ tickets: inout [BellTicket]
    ) throws -> LogPosition {
        while true {
            let end = LogPosition(ledger.log.size)
            let now = try rights.sources()
            // Who has no entries yet listens, too.
            if now == sources, !tickets.isEmpty { return end }
            for ticket in tickets { ledger.bells.leave(ticket) }
            let heard = now.union(rights.circumstances)
            tickets = [ledger.bells.ring(subscription.bell, at: heard)]
            sources = now
        }
    }

    /// - Returns: Whether anything was told.
    private func send(_ page: [Entry], _ alerting: Bool?) async throws -> Bool {
        var isTold = false
        for entry in page where !subscription.isEnding {
            try await live.check()
            let sight =
                topic == .reports ? try await RescuerSight(of: rights.reader, in: ledger) : nil
            guard let event = try rights.event(entry, sight) else { continue }
            let frame = TopicFrame.event(topic, event, alerting: alerting)
            try await connection.send(text: frame.json)
            isTold = true
        }
        return isTold
    }

    /// Who is signed out loses the socket; who may no longer read the topic loses that.
    private func end(with error: any Error) async {
        let problem = ProblemTable.problem(for: error)
        if error is AccountError || problem.isFault {
            connection.logger.log(
                level: problem.isFault ? .error : .debug,
                "a topic ended",
                metadata: ["topic": "\(topic.name)", "error": "\(error)"]
            )
            return await connection.close(problem.closeCode, reason: problem.type.slug)
        }
        await ledger.record(
            refusal: error,
            of: rights.reader,
            from: topic.resource(for: rights.reader),
            attempt: TopicSocket.attempt
        )
        subscription.givesUp.raise()
        do {
            try await connection.send(text: TopicFrame.error(topic: topic.name, problem).json)
        } catch {
            connection.logger.debug("a page left", metadata: ["error": "\(error)"])
        }
    }

    private func recordEnd() async {
        do {
            try await ledger.recordReading(
                of: topic.resource(for: rights.reader),
                by: rights.reader,
                for: "topic-closed"
            )
        } catch {
            ledger.logger.error("a topic's end was not recorded", metadata: ["error": "\(error)"])
        }
    }
}
