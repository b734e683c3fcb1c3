// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Logging
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

@Suite(.timeLimit(.minutes(1))) struct `What the gateway stands on` {
    @Test(arguments: ["media", "keys"])
    func `is named in readyz when it gives way, and is well again by itself`(folder: String)
        async throws
    {
        try await TestGateway.run { gateway in
            let name = folder == "media" ? "archive folder" : folder
            let place = gateway.folder.url.appending(path: "ledger/\(folder)")
            let aside = gateway.folder.url.appending(path: "aside")
            while try await gateway.send(.get, "/readyz").status != 200 { try await Self.pause() }
            try FileManager.default.moveItem(at: place, to: aside)
            while try await Self.fault(of: name, gateway) == nil { try await Self.pause() }
            #expect(try await gateway.send(.get, "/readyz").status == 503)
            #expect(try await Self.fault(of: name, gateway)?.contains(place.path) == true)
            try FileManager.default.moveItem(at: aside, to: place)
            while try await gateway.send(.get, "/readyz").status != 200 { try await Self.pause() }
            #expect(try await Self.fault(of: name, gateway) == nil)
        }
    }

    @Test func `is a disk with room`() async throws {
        try await TestGateway.run { gateway in
            let video = gateway.gateway.video
            for part in Groundwork.Part.allCases {
                gateway.ledger.standings.begin(part.rawValue, part.need)
            }
            Groundwork(ledger: gateway.ledger, video: video) { _ in 1 << 20 }.look()
            let disk = gateway.ledger.standings.all.first { $0.name == "disk" }
            #expect(disk?.fault?.contains("1 MiB are free") == true)
            #expect(!gateway.ledger.standings.canServe)
            Groundwork(ledger: gateway.ledger, video: video) { _ in 1 << 40 }.look()
            #expect(gateway.ledger.standings.canServe)
        }
    }

    /// Whoever asks without a pause is soon told to ask less.
    private static func pause() async throws { try await Task.sleep(for: .milliseconds(20)) }

    private static func fault(of name: String, _ gateway: TestGateway) async throws -> String? {
        try await gateway.services().first { $0["name"] as? String == name }?["fault"] as? String
    }
}

@Suite(.timeLimit(.minutes(1))) struct `The numbers of connections` {
    @Test func `tell who is there, and why others are not`() async throws {
        try await TestGateway.run { gateway in
            let table = gateway.gateway.connections
            let admin = try await gateway.user(.admin, login: "ada")
            table.asked(try #require(table.enter("192.0.2.7") {}))
            for _ in 0..<70 { _ = table.enter("192.0.2.8") {} }
            var text = ""
            while !text.contains("daybook_connections_open 65\n") {
                text = try await admin.get("/metrics").body
            }
            #expect(text.contains("daybook_connections_strangers 64\n"))
            let closed = "daybook_connections_closed_total{reason=\"strangers_of_address\"} 6\n"
            #expect(text.contains(closed))
            #expect(text.contains("# TYPE daybook_connections_closed_total counter"))
        }
    }
}
