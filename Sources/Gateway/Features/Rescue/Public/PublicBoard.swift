// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import Synchronization
import Threads

/// What the public pages show, read once in ``PublicRescue/freshness`` however many visitors ask.
final class PublicBoard: Sendable {
    private let ledger: Ledger
    private let turn = AsyncLock()
    private let kept = Mutex<Shown?>(nil)

    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// All that is public at one moment.
    struct Shown: Sendable {
        let at: Timestamp
        /// Newest first.
        let active: [PublicCopy]
        /// Closed in the last ``PublicRescue/pastTime``, the last closed first.
        let past: [PublicCopy]
        /// Successful rescues with a photo, newest first.
        let rescued: [PublicCopy]
        /// By name.
        let agencies: [PublicAgency]
        /// Pages that are the same for many visitors.
        let pages = RenderedPages()

        fileprivate func isFresh(at now: Timestamp) -> Bool {
            at <= now && now < at + PublicRescue.freshness
        }
    }

    /// What is public now.
    ///
    /// - Throws: When rows or log cannot be read.
    func shown() async throws -> Shown {
        try await turn.withLock {
            if let shown = kept.withLock(\.self), shown.isFresh(at: ledger.now) { return shown }
            let shown = try await read()
            kept.withLock { $0 = shown }
            return shown
        }
    }

    /// One report; `nil` for one that nobody but staff may see.
    ///
    /// - Throws: When its row cannot be read.
    func report(_ id: ReportID) async throws -> PublicCopy? {
        let report = try await ledger.readModels.reports.report(id, in: .wholeLedger)
        return try await copies(of: report.map { [$0] } ?? []).first
    }

    private func read() async throws -> Shown {
        let now = ledger.now
        var filter = Reports.Filter()
        filter.isPublic = true
        filter.submittedBefore = now + (.zero - PublicRescue.delay)
        filter.limit = PublicRescue.reportsMax
        let active = try await copies(filter) { $0.isOpen = true }
        let past = try await copies(filter) {
            $0.isOpen = false
            $0.changedFrom = now + (.zero - PublicRescue.pastTime)
        }
        let rescued = try await copies(filter) { $0.statuses = [.rescued, .released] }
        return Shown(
            at: now,
            active: active,
            past: past.filter(\.isRecent)
                .sorted { ($0.closed ?? $0.submitted) > ($1.closed ?? $1.submitted) },
            rescued: rescued.filter { !$0.photos.isEmpty },
            agencies: try await ledger.agencies().compactMap(PublicAgency.init)
                .sorted { $0.card.name < $1.card.name }
        )
    }

    private func copies(
        _ filter: Reports.Filter,
        _ narrow: (inout Reports.Filter) -> Void
    ) async throws -> [PublicCopy] {
        var filter = filter
        narrow(&filter)
        // Public copies are everybody's, of whatever organisation.
        return try await copies(
            of: ledger.readModels.reports.reports(filter, in: .wholeLedger)
        )
    }

    private func copies(of reports: [FieldReport]) async throws -> [PublicCopy] {
        let now = ledger.now
        // A rounded place, with nothing else of the reporter, is no personal data: nobody's reading is recorded.
        let keys = ledger.keys.unrecorded(.compared)
        let photos = try await ledger.readModels.reports.photos(of: reports.map(\.id))
        var names: [AgencyID: String] = [:]
        for agency in Set(reports.compactMap(\.agency)) {
            names[agency] = try ledger.handler.current(Agency.self, agency).definition?.name
        }
        return try reports.compactMap { report in
            try PublicCopy(
                report,
                photos[report.id] ?? [],
                agencyName: report.agency.flatMap { names[$0] },
                keys: keys,
                at: now
            )
        }
    }
}

/// Answers that were made once for all visitors who ask the same.
///
/// Their number is that of languages and lists: what a visitor chooses freely, a place or a report, is not kept.
final class RenderedPages: Sendable {
    private let pages = Mutex<[String: PageFile]>([:])

    /// A page by its name, made where nobody asked for it before.
    func page(_ name: String, _ make: () throws -> PageFile) rethrows -> PageFile {
        if let page = pages.withLock({ $0[name] }) { return page }
        let page = try make()
        pages.withLock { $0[name] = page }
        return page
    }
}
