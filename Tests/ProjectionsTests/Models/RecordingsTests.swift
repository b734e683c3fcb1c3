// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The recordings` {
    private func recordings(_ evening: Evening) async throws -> Recordings {
        Recordings(
            try await rows(
                of: RecordingsProjector(),
                evening.script.events,
                keys: evening.script.keys
            )
        )
    }

    @Test func `index chunks, gaps and inspections of a stream`() async throws {
        let evening = try Evening()
        let recordings = try await recordings(evening)
        let recording = try #require(try await recordings.recording(evening.stream))
        #expect(recording.chunks == 3)
        #expect(recording.bytes == 375_000)
        #expect(recording.state == .stopped)
        #expect(recording.through == 375_000)
        #expect(try await recordings.chunks(of: evening.stream, from: 1).map(\.number) == [1, 2])
        #expect(try await recordings.gaps(of: evening.stream).map(\.toMilliseconds) == [7_000])
        #expect(try await recordings.inspections(of: evening.stream).first?.meanLuma == 91.5)
    }

    @Test func `get their operator on claim, and keep it`() async throws {
        var evening = try Evening()
        let claimed = try #require(try await recordings(evening).recording(evening.stream))
        #expect(claimed.operatorID == evening.operatorB)
        #expect(claimed.operatorName == "Grace Hopper")
        try evening.script.claim(evening.second.session, by: evening.operatorA)
        #expect(
            try await recordings(evening).recording(evening.stream)?.operatorID == evening.operatorB
        )
    }

    @Test func `are found by date, time, file name, operator and number`() async throws {
        let evening = try Evening()
        let recordings = try await recordings(evening)
        let recording = try #require(try await recordings.recording(evening.stream))
        func found(_ fill: (inout Recordings.Search) -> Void) async throws -> Bool {
            var search = Recordings.Search()
            fill(&search)
            return try await recordings.search(search, in: .wholeLedger).map(\.stream) == [
                evening.stream
            ]
        }
        #expect(try await found { $0.fileName = "2026-11-21-13" })
        #expect(try await !found { $0.fileName = "2026-11-22" })
        #expect(try await found { $0.text = "hop" })
        #expect(try await found { $0.operatorText = "Grace H" })
        #expect(try await found { $0.operatorText = evening.operatorB.text })
        #expect(try await !found { $0.operatorText = "Ada" })
        #expect(try await found { $0.text = "2026-11-21-13-11" })
        #expect(
            try await found {
                $0.fromDate = recording.localDate
                $0.toDate = recording.localDate
                $0.fromTime = String(recording.localTime.prefix(5))
                $0.toTime = String(recording.localTime.prefix(5))
            }
        )
        #expect(try await !found { $0.fromDate = "2030-01-01" })
        // The words of the search language are only words here.
        #expect(try await !found { $0.text = "\" OR NEAR( *" })
    }

    @Test func `are found by an address until its person is erased`() async throws {
        var script = EventScript()
        let opened = try script.openSession(channel: .video, phone: "+447712345678")
        let stream = try script.startStream(in: opened.session, opened.incident, opened.caller)
        let address = IncidentAddressSet(
            address: .open("94 Birmingham", of: opened.caller),
            source: .operator
        )
        try script.record(.incident(.addressSet(address)), on: .incident(opened.incident))
        var search = Recordings.Search()
        search.address = "birm"
        var phone = Recordings.Search()
        phone.phonePrefix = "+44771"
        let before = Recordings(
            try await rows(of: RecordingsProjector(), script.events, keys: script.keys)
        )
        #expect(try await before.search(search, in: .wholeLedger).map(\.stream) == [stream])
        #expect(try await before.search(phone, in: .wholeLedger).map(\.stream) == [stream])
        try script.erase(opened.caller)
        let after = Recordings(
            try await rows(of: RecordingsProjector(), script.events, keys: script.keys)
        )
        #expect(try await after.search(search, in: .wholeLedger).isEmpty)
        #expect(try await after.search(phone, in: .wholeLedger).isEmpty)
        #expect(try await after.recording(stream)?.address == nil)
    }

    @Test func `are found by the address of the incident that their session belongs to now`()
        async throws
    {
        var evening = try Evening()
        try evening.setAddress("2 Beta Road", of: evening.second.incident)
        func found(_ address: String) async throws -> Bool {
            var search = Recordings.Search()
            search.address = address
            return try await recordings(evening).search(search, in: .wholeLedger).map(\.stream) == [
                evening.stream
            ]
        }
        #expect(try await found("birm"))
        #expect(try await !found("beta"))
        try evening.setAddress("3 Gamma Square", of: evening.first.incident)
        try evening.unlinkSecond()
        #expect(try await found("beta"))
        #expect(try await !found("gamma"))
        #expect(try await recordings(evening).recording(evening.stream)?.address == "2 Beta Road")
    }

    @Test func `show the date and time that their file is named by`() {
        let start = Timestamp("2026-10-25T00:30:07Z").unsafelyUnwrapped
        let local = LocalTime(ofFile: "2026-10-25-02-30-123456789-2.webm", startedAt: start)
        #expect(local.date == "2026-10-25")
        #expect(local.time == "02:30:07")
        let other = LocalTime(ofFile: "kitchen-door-10-30.webm", startedAt: start)
        #expect(other.date == "2026-10-25")
        #expect(other.time == "00:30:07")
    }

}
