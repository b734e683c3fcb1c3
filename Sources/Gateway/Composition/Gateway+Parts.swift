// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle

/// The one place that lists what a gateway is made of.
extension Gateway {
    /// What runs beside the log, the read models and the server; started in this order.
    var parts: [any Service] {
        [
            PolicyService(ledger: ledger),
            PushPolicy(ledger: ledger),
            IdleLogoutService(ledger: ledger),
            StrangerRefusalService(ledger: ledger),
            LedgerMetrics(ledger: ledger, metrics: metrics),
            ErasureService(ledger: ledger),
            BlobSweepService(ledger: ledger),
        ] + video.services
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
        HoldRoutes(ledger: ledger, erasure: Erasure(ledger: ledger)).add(to: router)
        UserRoutes(ledger: ledger).add(to: router)
        ClockRoutes(ledger: ledger).add(to: router)
        TrendRoutes(ledger: ledger).add(to: router)
        ReadModelRoutes(ledger: ledger).add(to: router)
        video.addRoutes(to: router)
        PageRoutes(folder: pages).add(to: router)
        MapRoutes(shelf: maps).add(to: router)
        VendorRoutes(shelf: vendor).add(to: router)
    }
}
