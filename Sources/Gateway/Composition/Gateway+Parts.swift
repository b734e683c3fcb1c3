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
            ledger.supervised(CameraService.name, .toServe) { [cameras] in
                try await CameraService(ledger: ledger, parts: cameras).run()
            },
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
                try await Groundwork(ledger: ledger, video: video, maps: maps.fault).run()
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
            ledger.supervised(DeliveryPolicy.service, .toServe, ending: .byItself) {
                try await DeliveryPolicy(ledger: ledger).run()
            },
            ledger.supervised(WebhookPolicy.service, .toKeepHouse, ending: .byItself) {
                await WebhookPolicy(ledger: ledger).run()
            },
            ledger.supervised(
                "erasures",
                .toKeepHouse,
                isWell: { ledger.erasureDebt.isPaid },
                ErasureService(ledger: ledger).run
            ),
            ledger.supervised(FootageUpkeep.name, .toKeepHouse) { [cameras] in
                try await FootageUpkeep(ledger: ledger, folder: cameras.folder).run()
            },
            ledger.supervised("numbers", .toKeepHouse, NumberCorrection(ledger: ledger).run),
            ledger.supervised("sweeping blobs", .toKeepHouse) { try await ledger.sweepBlobs() },
        ]
    }

    /// Every route and socket.
    var routes: [Route] {
        let proofs = ProofDesk(ledger: ledger)
        let footage = FootageAnswers(parts: cameras, stills: video.stills)
        let parts: [[Route]] = [
            HealthRoutes(ledger: ledger).routes,
            AuthRoutes(ledger: ledger).routes,
            DeviceRoutes(ledger: ledger).routes,
            PushRoutes(ledger: ledger).routes,
            SessionRoutes(ledger: ledger).routes,
            SessionTalkRoutes(ledger: ledger).routes,
            SearchRoutes(ledger: ledger).routes,
            TelephonyRoutes(ledger: ledger).routes,
            PictureRoutes(ledger: ledger).routes,
            LinkRoutes(ledger: ledger).routes,
            IncidentRoutes(ledger: ledger).routes,
            LedgerRoutes(ledger: ledger, proofs: proofs).routes,
            EventFeedRoutes(ledger: ledger).routes,
            TopicRoutes(ledger: ledger).routes,
            ChatRoutes(ledger: ledger).routes,
            ReportRoutes(ledger: ledger).routes,
            PublicReportRoutes(ledger: ledger).routes,
            AgencyRoutes(ledger: ledger).routes,
            PublicPages(
                ledger: ledger,
                pictures: video.publicPictures,
                folder: pages,
                reread: rereadPages
            ).routes,
            AlertRoutes(ledger: ledger).routes,
            SenderRoutes(ledger: ledger).routes,
            TemplateRoutes(ledger: ledger).routes,
            MessageCentreRoutes(ledger: ledger).routes,
            AnswerRoutes(ledger: ledger).routes,
            SafetyRoutes(ledger: ledger).routes,
            SOSRoutes(ledger: ledger).routes,
            ContentRoutes(ledger: ledger).routes,
            PhoneCodeRoutes(ledger: ledger).routes,
            CallOutRoutes(ledger: ledger).routes,
            ChainRoutes(ledger: ledger).routes,
            ReachRoutes(ledger: ledger).routes,
            CommonAlertRoutes(ledger: ledger).routes,
            WebhookRoutes(ledger: ledger).routes,
            PatrolRoutes(ledger: ledger).routes,
            CameraRoutes(ledger: ledger, answers: footage).routes,
            IncidentFootageRoutes(
                ledger: ledger,
                answers: footage,
                export: FootageExport(ledger: ledger, answers: footage, proofs: proofs)
            ).routes,
            ChannelRoutes(ledger: ledger, answers: footage).routes,
            NumberRoutes(site: ledger.configuration.site).routes,
            HoldRoutes(ledger: ledger).routes,
            VolumeRoutes(ledger: ledger).routes,
            PersonRoutes(ledger: ledger, erasure: Erasure(ledger: ledger)).routes,
            UserRoutes(ledger: ledger).routes,
            ClockRoutes(ledger: ledger).routes,
            TokenRoutes(ledger: ledger).routes,
            TrendRoutes(ledger: ledger).routes,
            ReadModelRoutes(ledger: ledger).routes,
            DemoRoutes(ledger: ledger, pages: pages.table).routes,
            PageRoutes(folder: pages, isDemo: ledger.isDemo, reread: rereadPages).routes,
            MapRoutes(shelf: maps).routes,
            VendorRoutes(shelf: vendor).routes,
            video.routes,
        ]
        return parts.flatMap(\.self)
    }
}
