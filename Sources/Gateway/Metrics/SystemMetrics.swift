// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Metrics
import NIOSSL

/// Shows in `/metrics` what the process, its disks and live video take, and counts events by kind.
struct SystemMetrics: Sendable {
    let ledger: Ledger
    let video: VideoParts
    let connections: ConnectionTable
    let metrics: PrometheusRegistry

    /// Counts and looks until it is cancelled.
    func run() async throws {
        let from = LogPosition(ledger.log.size)
        noteBuild()
        try await withThrowingTaskGroup { group in
            group.addTask { try await count(from: from) }
            group.addTask { try await look() }
            try await group.waitForAll()
        }
    }

    /// Counts what is appended: the kinds are few and known.
    private func count(from position: LogPosition) async throws {
        let decoder = EventDecoder()
        for try await page in ledger.log.follow(from: position) {
            for entry in page {
                let kind = entry.envelope.kind
                add(1, to: "events", [("kind", kind.text)])
                guard Self.looksInto.contains(kind) else { continue }
                countOutcome(try decoder.decode(entry).fact.payload)
            }
        }
    }

    /// Kinds whose outcome is counted as well.
    private static let looksInto: Set<Kind> = [
        AlertSent.kind, AlertFailed.kind, PushExpired.kind, AccessRefused.kind,
    ]

    private func countOutcome(_ payload: any EventPayload) {
        switch payload {
        case let sent as AlertSent where sent.channel == .push:
            add(1, to: "pushes", [("outcome", "sent")])
        case let failed as AlertFailed where failed.channel == .push:
            add(1, to: "pushes", [("outcome", failed.permanence.rawValue)])
        case is PushExpired: add(1, to: "pushes", [("outcome", "expired")])
        case let refused as AccessRefused:
            add(refused.count, to: "refusals", [("reason", refused.reason.rawValue)])
        default: break
        }
    }

    private func add(_ amount: Int, to label: String, _ dimensions: [(String, String)]) {
        Counter(label: label, dimensions: dimensions, factory: metrics).increment(by: amount)
    }

    private func look() async throws {
        while true {
            noteProcess()
            noteDisks()
            noteVideo()
            noteConnections()
            noteCertificate()
            try await Task.sleep(for: LedgerMetrics.interval)
        }
    }

    private func noteProcess() {
        let now = ProcessNumbers.now()
        set("process_resident_memory_bytes", now.residentBytes)
        set("process_virtual_memory_bytes", now.virtualBytes)
        set("process_open_fds", now.openDescriptors)
        set("process_max_fds", now.descriptorsMax)
        set("process_threads", now.threads)
        set("process_start_time_seconds", ProcessNumbers.start)
        metrics.setCounter("log_lines_lost", Double(GatewayLog.linesLost))
        if let seconds = now.cpuSeconds { metrics.setCounter("process_cpu_seconds_total", seconds) }
    }

    private func noteDisks() {
        let parts: [(name: String, free: () throws -> Int64)] = [
            ("log", { try DiskRoom.bytes(below: ledger.folder.root.path) }),
            ("media", { try ledger.folders.volumes.volumes.freeBytes() }),
        ]
        for part in parts {
            let free: Int64
            do {
                free = try part.free()
            } catch {
                // Room that nobody knows of is none; `/readyz` says why.
                free = 0
            }
            set("free_bytes", Double(free), [("part", part.name)])
        }
        set("log_bytes", Self.size(of: ledger.folder.root.appending(path: "log/data.mdb")))
    }

    private func noteVideo() {
        set("archive_recordings", Double(video.archive.open.count))
        set("archive_unfinished_bytes", Double(video.archive.budget.waitingBytes))
        let load = video.load
        set("inspection_waiting", Double(load.waiting))
        set("inspection_children", Double(load.children))
        set("stills_waiting", Double(load.stills))
    }

    private func noteConnections() {
        let (all, strangers) = connections.counts
        set("connections_open", Double(all))
        set("connections_strangers", Double(strangers))
        for (reason, count) in connections.closings {
            metrics.setCounter("connections_closed", Double(count), [("reason", reason.rawValue)])
        }
    }

    private func noteCertificate() {
        guard let files = ledger.configuration.tls else { return }
        let expiry = CertificateFile(path: files.certificateChain).expiry
        set("certificate_expiry_seconds", expiry?.timeIntervalSince1970)
    }

    private func noteBuild() {
        var built = "unknown"
        do {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let date = try FileManager.default.attributesOfItem(atPath: own)[.modificationDate]
            if let date = date as? Date { built = date.formatted(.iso8601) }
        } catch {
            // The program was replaced while it runs; which one it was is then not known.
        }
        set("build_info", 1, [("built", built)])
        set("sandboxed", video.isSandboxed ? 1 : 0)
    }

    private static func size(of file: URL) -> Double? {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size]
            return (size as? NSNumber)?.doubleValue
        } catch {
            return nil
        }
    }

    private func set(_ label: String, _ value: Double?, _ dimensions: [(String, String)] = []) {
        guard let value else { return }
        Meter(label: label, dimensions: dimensions, factory: metrics).set(value)
    }
}

/// The PEM file of a certificate chain.
struct CertificateFile: Sendable {
    let path: String

    /// When its first certificate expires; `nil` when it cannot be read.
    var expiry: Date? {
        do {
            guard let leaf = try NIOSSLCertificate.fromPEMFile(path).first else { return nil }
            return Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
        } catch {
            return nil
        }
    }
}
