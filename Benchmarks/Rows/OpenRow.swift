// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation

/// Opening a large ledger after its process was killed, in a process of its own.
struct OpenRow {
    let count: Int

    func run() async throws -> [Row] {
        try await withScratch { folder in
            try Self.rows(
                "\(count) events",
                filling: ["fill-ledger", folder.path, "\(count)"],
                opening: ["open-ledger", folder.path]
            )
        }
    }

    /// Rows of a ledger that one child fills and another opens.
    static func rows(
        _ contents: String,
        filling: [String],
        opening: [String]
    ) throws -> [Row] {
        let filling = try Child(filling)
        guard filling.line() == "filled" else { throw OpenFailure() }
        // Killed while its index lags behind and nothing was closed.
        filling.kill()
        let opening = try Child(opening)
        let words = (opening.line() ?? "").split(separator: " ").compactMap { Double($0) }
        opening.wait()
        guard words.count == 2 else { throw OpenFailure() }
        return [
            row("opening \(contents) after kill -9", words[0], "s", target: 1),
            row("anonymous memory then", words[1], "MB", target: 150),
        ]
    }

    private static func row(
        _ name: String,
        _ value: Double,
        _ unit: String,
        target: Double
    ) -> Row {
        Row(
            name: name,
            value: value,
            unit: unit,
            baseline: nil,
            ratio: nil,
            target: target,
            higherIsBetter: false
        )
    }

    struct OpenFailure: Error {}

    // MARK: In the children

    static var configuration: LogConfiguration {
        LogConfiguration(origin: "bench.example.org/main", keys: FixedKeys())
    }

    /// Fills a ledger, says so, and waits to be killed.
    static func fill(_ path: String, _ count: Int) async throws {
        let log = try EventLog.open(URL(filePath: path), configuration: configuration)
        var left = count
        while left > 0 {
            let supply = try EntrySupply(count: min(left, 65_536), log: log, seed: UInt64(left))
            try await supply.append(to: log, writers: 2_048)
            left -= supply.ready.count
        }
        try await waitToBeKilled()
    }

    static func waitToBeKilled() async throws {
        FileHandle.standardOutput.write(Data("filled\n".utf8))
        try await Task.sleep(for: .seconds(600))
    }

    /// Opens it and tells the seconds and the megabytes.
    static func open(_ path: String, _ configuration: LogConfiguration) async throws {
        var opened: EventLog?
        let took = try await seconds {
            opened = try EventLog.open(URL(filePath: path), configuration: configuration)
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let kilobytes = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }?
            .split(separator: " ").compactMap { Double($0) }.first
        print(took, (kilobytes ?? .infinity) / 1_024)
        await opened?.close()
    }
}
