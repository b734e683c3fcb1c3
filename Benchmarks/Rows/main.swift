// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Projections
import Replay

// Prints a line a row and writes the same to bench.json; exits 0 whether or not a target was reached.
// DAYBOOK_BENCH_SCALE makes it quicker, DAYBOOK_BENCH_DIR says on which disk it works.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "fill-ledger": try await OpenRow.fill(arguments[2], Int(arguments[3]) ?? 0)
case "open-ledger": try await OpenRow.open(arguments[2], OpenRow.configuration)
case "fill-cameras": try await CameraMonthRow.fill(arguments[2], days: Int(arguments[3]) ?? 0)
case "open-cameras": try await OpenRow.open(arguments[2], CameraMonth.configuration)
case "walk":
    // As `daybook walk`: what verify starts to read a ledger's files.
    let options = Dictionary(
        uniqueKeysWithValues: stride(from: 3, to: arguments.count - 1, by: 2).map {
            (arguments[$0], arguments[$0 + 1])
        }
    )
    guard let part = Walker.Part(rawValue: arguments[2]), let folder = options["--data"] else {
        exit(2)
    }
    let start = options["--from"].flatMap { UInt64($0) } ?? 0
    Walker.walk(part, of: URL(filePath: folder), from: start, to: STDOUT_FILENO)
case nil: try await measure(Measurement.allCases)
default:
    // Some of the rows, by name: `daybook-benchmarks append verify`.
    try await measure(arguments.dropFirst().compactMap { Measurement(rawValue: $0) })
}

/// What can be measured, in the order of the table.
enum Measurement: String, CaseIterable {
    case append, blocking, lone, typed, decided, rebuild, verify, asof, inspection, open, cameras,
        search

    func rows(scale: Double) async throws -> [Row] {
        let events = Int(200_000 * scale)
        switch self {
        case .append: return [try await AppendRows(count: events).outstanding()]
        case .blocking: return [try await AppendRows(count: events).blocking()]
        case .lone: return [try await AppendRows(count: events).single()]
        case .typed: return [try await TypedRow(count: events).run()]
        case .decided: return [try await DecidedRow(count: events).run()]
        case .rebuild:
            return try await RebuildRow(count: events, projector: IncidentTimelineProjector()).run()
        case .verify: return try await VerifyRows(count: events).run()
        case .asof: return try await AsOfRow(events: 10_000).run()
        case .inspection: return [try InspectionRow(frames: Int(1_000 * scale)).run()]
        case .open: return try await OpenRow(count: Int(1_000_000 * scale)).run()
        case .search: return try await SearchRow(messages: Int(100_000 * scale)).run()
        case .cameras: return try await CameraMonthRow(days: max(1, Int(30 * scale))).run()
        }
    }
}

func measure(_ measurements: [Measurement]) async throws {
    let scale = Double(ProcessInfo.processInfo.environment["DAYBOOK_BENCH_SCALE"] ?? "1") ?? 1
    var rows: [Row] = []
    for measurement in measurements {
        let more = try await measurement.rows(scale: scale)
        for row in more { FileHandle.standardOutput.write(Data((row.line + "\n").utf8)) }
        rows += more
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(rows).write(to: URL(filePath: "bench.json"))
}
