// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// The read models that queries ask, and the runner that keeps them level.
struct ReadModels: Sendable {
    let runner: ProjectionRunner
    let desk: OperatorDesk
    let conversations: Conversations
    let recordings: Recordings
    let timeline: IncidentTimeline
    let reports: Reports
    let alerts: AlertQueue
    let checkIns: CheckIns
    let trends: HourlyTrends
    let registry: Registry
    let deadlines: Deadlines
    let pushes: Pushes
    let telephony: Telephony
    let cameras: Cameras
    let channels: Channels
    /// Where views as of a point are made.
    let past = PastViews()

    init(_ runner: ProjectionRunner) throws(ReadModelError) {
        self.runner = runner
        desk = OperatorDesk(try runner.database("operator-desk"))
        conversations = Conversations(try runner.database("conversations"))
        recordings = Recordings(try runner.database("recordings"))
        timeline = IncidentTimeline(try runner.database("incident-timeline"))
        reports = Reports(try runner.database("reports"))
        alerts = AlertQueue(try runner.database("alert-queue"))
        checkIns = CheckIns(try runner.database("check-ins"))
        trends = HourlyTrends(try runner.database("hourly-trends"))
        registry = Registry(try runner.database("registry"))
        deadlines = Deadlines(try runner.database("deadlines"))
        pushes = Pushes(try runner.database("pushes"))
        telephony = Telephony(try runner.database("telephony"))
        cameras = Cameras(try runner.database("cameras"))
        channels = Channels(try runner.database("channels"))
    }

    /// Waits until every model shows what the log holds now, but for a few seconds at most.
    ///
    /// A small ledger greets nobody with a model that is still being built; a large one builds on while it serves, and
    /// its models answer 503 with their progress.
    func settle(_ log: EventLog) async throws {
        guard log.size > 0 else { return }
        let end = ContinuousClock.now + runner.patience
        for state in runner.states {
            do {
                try await runner.wait(
                    for: LogPosition(log.size - 1),
                    on: state.identity.name,
                    timeout: max(.zero, end - .now)
                )
            } catch is ReadModelError {
                return
            }
        }
    }
}
