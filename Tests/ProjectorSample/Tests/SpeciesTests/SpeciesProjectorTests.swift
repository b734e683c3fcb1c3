// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Projections
import ProjectionsTesting
import Species
import Testing

@Suite struct `A projector of somebody else` {
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `keeps every promise over a made-up history`(seed: UInt64) throws {
        let keys = SeededKeys(seed: seed)
        let history = RecordedHistory(PlausibleHistory(seed: seed, events: 1_500), keys: keys)
        let events = history.filter {
            [ReportSubmitted.kind, ReportStatusChanged.kind].contains($0.envelope.kind)
        }
        #expect(events.contains { $0.envelope.kind == ReportSubmitted.kind })
        try ProjectorChecker(SpeciesProjector(), keys: keys).check(Array(events.prefix(60)))
    }
}
