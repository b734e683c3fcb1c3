// SPDX-License-Identifier: Apache-2.0
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
            JSONLines(level: .info) { line in lines.withLock { $0.append(line) } }
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
