// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import ServiceLifecycle

/// The one place that lists what a gateway is made of.
extension Gateway {
    /// What runs beside the log and the server, in the order of starting; no fault of theirs ends the gateway.
    var parts: [any Service] {
        let ledger = ledger
        let policies = ledger.timedPolicies.map { policy in
            let service = PolicyService(ledger: ledger, policy: policy)
            return ledger.supervised("policy \(policy.name)", .toServe) { try await service.run() }
        }
        let runner = ledger.readModels.runner
        return [
            // Progress is committed with the rows: the next start goes on from there.
            ledger.supervised("read models", .toServe) { try await runner.run() },
            ledger.supervised("live pages", .toServe) { try await ledger.bells.run() },
        ] + policies + [
            ledger.supervised("idle logout", .toServe) {
                try await IdleLogoutService(ledger: ledger).run()
            },
            ledger.supervised("refusals of strangers", .toKeepHouse, ending: .byItself) {
                try await StrangerRefusalService(ledger: ledger).run()
            },
            ledger.supervised("watch over the log", .toKeepHouse) {
                try await LedgerWatch(ledger: ledger).run()
            },
            ledger.supervised("metrics", .toKeepHouse) { [metrics] in
                try await LedgerMetrics(ledger: ledger, metrics: metrics).run()
            },
            ledger.supervised("numbers of the system", .toKeepHouse) {
                [video, connections, metrics] in
                try await SystemMetrics(
                    ledger: ledger,
                    video: video,
                    connections: connections,
                    metrics: metrics
                ).run()
            },
            ledger.supervised("groundwork", .toKeepHouse) { [video] in
                try await Groundwork(ledger: ledger, video: video).run()
            },
            ledger.supervised("watch over the machine", .toKeepHouse) {
                try await MachineWatch(ledger: ledger).run()
            },
        ] + consequences + video.services
    }

    /// What deletes or sends because of what the log says: none of it for a log that nobody vouches for.
    private var consequences: [any Service] {
        let ledger = ledger
        guard !ledger.log.isDoubted else { return [] }
        let push = PushPolicy(ledger: ledger)
        return [
            ledger.supervised(PushPolicy.part, .toServe, ending: .byItself) {
                try await push.run()
            },
            ledger.supervised(
                "erasures",
                .toKeepHouse,
                isWell: { ledger.erasureDebt.isPaid },
                ErasureService(ledger: ledger).run
            ),
            ledger.supervised("sweeping blobs", .toKeepHouse) { try await ledger.sweepBlobs() },
        ]
    }

    /// Adds every route and socket to the door.
    func addRoutes(to door: GatewayDoor) {
        let router = door.router
        HealthRoutes(ledger: ledger).add(to: router)
        AuthRoutes(ledger: ledger).add(to: router)
        DeviceRoutes(ledger: ledger).add(to: router)
        PushRoutes(ledger: ledger).add(to: router)
        SessionRoutes(ledger: ledger).add(to: router)
        SessionTalkRoutes(ledger: ledger).add(to: router)
        PictureRoutes(ledger: ledger).add(to: router)
        LinkRoutes(ledger: ledger).add(to: router)
        IncidentRoutes(ledger: ledger).add(to: router)
        LedgerRoutes(ledger: ledger).add(to: router)
        EventFeedRoutes(ledger: ledger).add(to: router)
        TopicRoutes(ledger: ledger).add(to: router)
        ChatRoutes(ledger: ledger).add(to: router)
        ReportRoutes(ledger: ledger).add(to: router)
        AlertRoutes(ledger: ledger).add(to: router)
        PatrolRoutes(ledger: ledger).add(to: router)
        HoldRoutes(ledger: ledger).add(to: router)
        PersonRoutes(ledger: ledger, erasure: Erasure(ledger: ledger)).add(to: router)
        UserRoutes(ledger: ledger).add(to: router)
        ClockRoutes(ledger: ledger).add(to: router)
        TokenRoutes(ledger: ledger).add(to: router)
        TrendRoutes(ledger: ledger).add(to: router)
        ReadModelRoutes(ledger: ledger).add(to: router)
        video.addRoutes(to: router)
        PageRoutes(folder: pages, reread: rereadPages).add(to: router)
        MapRoutes(shelf: maps).add(to: router)
        VendorRoutes(shelf: vendor).add(to: router)
    }
}
