// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Logging
import Media
import Metrics
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct `What the gateway writes down` {
    @Test func `is one JSON object a line, with a category`() throws {
        let lines = Mutex<[String]>([])
        var logger = Logger(label: "test") { _ in
            LogLines(level: .info, format: .json) { line in lines.withLock { $0.append(line) } }
        }
        logger[metadataKey: "request"] = "17"
        logger.debug("too little to be written")
        logger.warning("a \"line\"\nof two", metadata: ["category": "security", "reason": "role"])
        logger.info("answered")
        let written = lines.withLock { $0 }
        #expect(written.count == 2)
        #expect(written.allSatisfy { $0.hasSuffix("\n") && $0.count(where: \.isNewline) == 1 })
        let first = try #require(
            JSONSerialization.jsonObject(with: Data(written[0].utf8)) as? [String: Any]
        )
        #expect(first["category"] as? String == "security")
        #expect(first["message"] as? String == "a \"line\"\nof two")
        #expect(first["level"] as? String == "warning")
        #expect(first["facts"] as? [String: String] == ["request": "17", "reason": "role"])
        #expect(written[1].contains("\"category\":\"service\""))
    }

    @Test func `is one line for people, too, whatever somebody sent`() {
        let line = LogLine(
            level: .error,
            message: "two\r\nlines\u{1B}[2K",
            facts: ["category": "security", "b": "2", "a": "1"]
        ).text(as: .text)
        #expect(line.hasSuffix(" error security: two lines [2K a=1 b=2\n"))
    }
}

@Suite struct `Telling a service manager` {
    @Test func `goes to the socket that the environment names`() throws {
        let path = "/tmp/daybook-\(getpid())-\(UInt32.random(in: 0 ... .max)).notify"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer {
            close(descriptor)
            unlink(path)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        let manager = try #require(
            ServiceManager(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "30000000"])
        )
        #expect(manager.watchdog == .seconds(30))
        try manager.tell(.ready)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "READY=1")
    }

    @Test func `says why it could not, and is not tried where nobody asks`() {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "vsock:1"]) == nil)
        let gone = ServiceManager(
            environment: [
                "NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "1000000",
                "WATCHDOG_PID": "1",
            ]
        )
        #expect(gone?.watchdog == nil)
        #expect(throws: ServiceManager.Failure.self) { try gone?.tell(.alive) }
    }
}

@Suite struct `Numbers of the process` {
    @Test func `are known, and every metric has words`() throws {
        let now = ProcessNumbers.now()
        #expect((now.residentBytes ?? 0) > 1_048_576 && (now.virtualBytes ?? 0) > 1_048_576)
        #expect((now.openDescriptors ?? 0) > 2 && (now.descriptorsMax ?? 0) > 2)
        #expect((now.cpuSeconds ?? -1) >= 0 && (now.threads ?? 0) >= 1)
        #expect(abs(ProcessNumbers.start - Date.now.timeIntervalSince1970) < 86_400)
        let registry = PrometheusRegistry()
        Meter(label: "process_open_fds", factory: registry).set(3)
        registry.setCounter("process_cpu_seconds_total", 1.5)
        let lines = registry.text().split(separator: "\n")
        #expect(lines.contains("# HELP process_open_fds Descriptors that are open."))
        #expect(lines.contains("process_open_fds 3"))
        #expect(lines.contains("# TYPE process_cpu_seconds_total counter"))
        #expect(lines.contains("process_cpu_seconds_total 1.5"))
    }

    @Test func `of an invented method make no series`() async throws {
        let test = try TestDoor()
        for number in 0..<5 {
            _ = try await test.send(.init("ZZ\(number)") ?? .get, "/x")
        }
        let names = test.metrics.snapshot().numbers.map(\.0.labels)
        #expect(names.filter { $0.contains("method=\"other\"") }.count == 1)
        #expect(!names.contains { $0.contains("ZZ") })
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What the gateway stands on` {
    @Test(arguments: ["media", "blobs", "keys"])
    func `is named in readyz when it gives way, and is well again by itself`(folder: String)
        async throws
    {
        try await TestGateway.run { gateway in
            let names = ["media": "archive folder", "blobs": "blob folder"]
            let name = names[folder] ?? folder
            let place = gateway.folder.url.appending(path: "ledger/\(folder)")
            let aside = gateway.folder.url.appending(path: "aside")
            try await eventually("the gateway is ready") {
                try await gateway.send(.get, "/readyz").status == 200
            }
            try FileManager.default.moveItem(at: place, to: aside)
            try await eventually("\(name) has a fault") {
                try await Self.fault(of: name, gateway) != nil
            }
            #expect(try await gateway.send(.get, "/readyz").status == 503)
            #expect(try await Self.fault(of: name, gateway)?.contains(place.path) == true)
            try FileManager.default.moveItem(at: aside, to: place)
            try await eventually("the gateway is ready") {
                try await gateway.send(.get, "/readyz").status == 200
            }
            #expect(try await Self.fault(of: name, gateway) == nil)
        }
    }

    @Test func `warns of a disk that still takes closings, and is not ready when it takes nothing`()
        async throws
    {
        try await TestGateway.atRest { gateway in
            let (standings, video) = (gateway.ledger.standings, gateway.gateway.video)
            for part in Groundwork.Part.allCases { standings.begin(part.rawValue, part.need) }
            Groundwork(ledger: gateway.ledger, video: video) { _ in 700 << 20 }.look()
            #expect(standings.canServe)
            let answer = try await gateway.send(.get, "/readyz").object
            let warnings = try #require(answer["warnings"] as? [String])
            #expect(warnings.contains("disk"))
            Groundwork(ledger: gateway.ledger, video: video) { _ in 0 }.look()
            #expect(!standings.canServe)
            Groundwork(ledger: gateway.ledger, video: video) { _ in 1 << 40 }.look()
            #expect(standings.canServe)
            Groundwork(ledger: gateway.ledger, video: video) {
                (path: String) throws(DiskRoom.Unknown) -> Int64 in
                throw DiskRoom.Unknown(path: path, code: EIO)
            }.look()
            #expect(!standings.canServe)
            let words = try #require(standings.fault(of: "room for closings")?.words)
            #expect(words.contains("cannot be told: Input/output error"), "\(words)")
        }
    }

    private static func fault(of name: String, _ gateway: TestGateway) async throws -> String? {
        try await gateway.services().first { $0["name"] as? String == name }?["fault"] as? String
    }
}

@Suite struct `A fault` {
    @Test func `is news by its code, however its words count`() {
        let standings = ServiceStandings()
        standings.begin("disk", .toKeepHouse)
        #expect(standings.fail("disk", Fault(ArchiveError.noRoom(free: 5 << 20, floor: 1 << 30))))
        #expect(!standings.fail("disk", Fault(ArchiveError.noRoom(free: 4 << 20, floor: 1 << 30))))
        #expect(standings.fault(of: "disk")?.words.contains("4 MiB") == true)
        #expect(standings.fail("disk", Fault(ArchiveError.tooManyRecordings(max: 256))))
    }

    @Test func `of the system is told apart by its number`() {
        func fault(_ code: Int32, _ path: String) -> Fault {
            Fault(RecordingError.storage("writing", path: path, code: code))
        }
        #expect(fault(ENOSPC, "a").code == fault(ENOSPC, "b").code)
        #expect(fault(ENOSPC, "a").code != fault(EIO, "a").code)
        let posix = (Fault(POSIXError(.EIO)).code, Fault(POSIXError(.EACCES)).code)
        #expect(posix.0 != posix.1)
    }

    @Test func `of a recording is said once for as long as it is the same`() {
        let (faults, stream) = (StreamFaults(), freshID() as StreamID)
        func fault(_ bytes: UInt64) -> Fault {
            Fault(RecordingError.truncated(path: "a", expected: 9, actual: bytes))
        }
        #expect(faults.note(fault(1), of: stream, isOwed: true))
        #expect(!faults.note(fault(2), of: stream, isOwed: true))
        #expect(faults.summary.words.contains("it ends at byte 2"))
        faults.clear(stream, isPaid: true)
        #expect(faults.note(fault(2), of: stream, isOwed: true))
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Listeners` {
    @Test func `are told of only when all of them are bound`() async throws {
        let bound = ListenersBound(2)
        let (said, say) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await bound.arrive()
                say.yield(1)
            }
            try await bound.arrive()
            say.yield(2)
            try await group.waitForAll()
        }
        say.finish()
        var heard: Set<Int> = []
        for await one in said { heard.insert(one) }
        #expect(heard == [1, 2])
        let alone = ListenersBound(2)
        let waiting = Task { try await alone.arrive() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The numbers of connections` {
    @Test func `tell who is there, and why others are not`() async throws {
        try await TestGateway.run { gateway in
            let table = gateway.gateway.connections
            let admin = try await gateway.user(.admin, login: "ada")
            table.asked(try #require(table.enter("192.0.2.7") {}))
            for _ in 0..<70 { _ = table.enter("192.0.2.8") {} }
            var text = ""
            try await eventually("sixty-five connections are told") {
                text = try await admin.get("/metrics").body
                return text.contains("daybook_connections_open 65\n")
            }
            #expect(text.contains("daybook_connections_strangers 64\n"))
            let closed = "daybook_connections_closed_total{reason=\"strangers_of_address\"} 6\n"
            #expect(text.contains(closed))
            #expect(text.contains("# TYPE daybook_connections_closed_total counter"))
        }
    }
}
