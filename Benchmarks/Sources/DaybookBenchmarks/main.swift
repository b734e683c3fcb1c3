// SPDX-License-Identifier: Apache-2.0
import Foundation

// Prints a line a row and writes the same to bench.json; exits 0 whether or not a target was reached.
let scale = Double(ProcessInfo.processInfo.environment["DAYBOOK_BENCH_SCALE"] ?? "1") ?? 1
var rows: [Row] = []
for row in try await AppendRows(count: Int(200_000 * scale)).run() {
    FileHandle.standardOutput.write(Data((row.line + "\n").utf8))
    rows.append(row)
}
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
try encoder.encode(rows).write(to: URL(filePath: "bench.json"))
