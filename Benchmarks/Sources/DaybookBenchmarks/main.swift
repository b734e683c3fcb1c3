// SPDX-License-Identifier: Apache-2.0
import Foundation
import Projections

// Prints a line a row and writes the same to bench.json; exits 0 whether or not a target was reached.
// DAYBOOK_BENCH_SCALE makes it quicker, DAYBOOK_BENCH_DIR says on which disk it works.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "fill": try await OpenRow.fill(arguments[2], Int(arguments[3]) ?? 0)
case "open": try await OpenRow.open(arguments[2])
default: try await measureAll()
}

func measureAll() async throws {
    let scale = Double(ProcessInfo.processInfo.environment["DAYBOOK_BENCH_SCALE"] ?? "1") ?? 1
    var rows: [Row] = []
    func add(_ more: [Row]) {
        for row in more { FileHandle.standardOutput.write(Data((row.line + "\n").utf8)) }
        rows += more
    }
    add(try await AppendRows(count: Int(200_000 * scale)).run())
    add([try await TypedRow(count: Int(200_000 * scale)).run()])
    add(
        try await RebuildRow(count: Int(200_000 * scale), projector: IncidentTimelineProjector())
            .run()
    )
    add([try InspectionRow(frames: Int(1_000 * scale)).run()])
    add(try await OpenRow(count: Int(1_000_000 * scale)).run())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(rows).write(to: URL(filePath: "bench.json"))
}
