// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import ProjectionsTesting
import Species
import Testing

@Suite struct `The projector checker` {
    @Test func `accepts a right projector`() throws {
        try ProjectorChecker(SpeciesProjector()).check(reports())
    }

    @Test func `catches a projector that skips an event it saw before`() throws {
        #expect(try fault(of: SkippingProjector()).broken == .everyEvent)
    }

    @Test func `catches a projector that reads the clock, and shows one event`() throws {
        let fault = try fault(of: ClockReadingProjector())
        #expect(fault.broken == .repeatable)
        #expect(fault.events.count == 1)
    }

    @Test func `catches a projector that keeps something in memory`() throws {
        #expect(try fault(of: RememberingProjector()).broken == .repeatable)
    }

    @Test func `catches a projector that holds rows back until it has several`() throws {
        let fault = try fault(of: HoardingProjector())
        #expect(fault.description.contains("report.submitted/1"))
    }

    @Test func `catches a writer that skips an event`() throws {
        let fault = try fault(of: SkippingWriter.self)
        #expect(fault.broken == .everyEvent)
        #expect(fault.events.count == 2)
    }

    @Test func `catches a writer that applies an event twice`() throws {
        let fault = try fault(of: DoublingWriter.self)
        #expect(fault.broken == .everyEvent)
        #expect(fault.events.count == 1)
    }

    @Test func `catches a writer whose rows depend on the size of pages`() throws {
        let fault = try fault(of: PageBoundWriter.self)
        #expect(fault.broken == .anyPageSize(1))
        #expect(fault.events.count == 2)
    }

    @Test func `catches a writer that takes a page a second time`() throws {
        #expect(try fault(of: ForgetfulWriter.self).broken == .once)
    }

    @Test func `catches a writer that commits progress before rows`() throws {
        let fault = try fault(of: HastyWriter.self)
        guard case .anyCrash = fault.broken else {
            Issue.record("\(fault) is not a crash")
            return
        }
    }

    private func fault(of projector: any Projector) throws -> ProjectorFault {
        try #require(throws: ProjectorFault.self) {
            try ProjectorChecker(projector).check(reports())
        }
    }

    private func fault<Writer: PageWriter>(of writer: Writer.Type) throws -> ProjectorFault {
        try #require(throws: ProjectorFault.self) {
            try ProjectorChecker(SpeciesProjector(), writer: writer).check(reports())
        }
    }

    /// Eight reports of two species.
    private func reports() throws -> [RecordedEvent] {
        var script = EventScript()
        for number in 0..<8 {
            let reporter = script.person()
            let report: ReportID = script.id()
            let submitted = ReportSubmitted(
                reporter: reporter,
                fix: .open(Fix(latitude: 52.4, longitude: -1.8, accuracyMetres: 8), of: reporter),
                species: number % 3 == 0 ? "seal" : "gull",
                sizeClass: .small,
                condition: .alive,
                photos: []
            )
            try script.record(.report(.submitted(submitted)), on: .report(report))
        }
        return script.events
    }
}
