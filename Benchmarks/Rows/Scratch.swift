// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder for one measurement, removed afterwards.
func withScratch<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let base = ProcessInfo.processInfo.environment["DAYBOOK_BENCH_DIR"] ?? NSTemporaryDirectory()
    let folder = URL(filePath: base).appending(path: "daybook-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Seconds that some work takes.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let took = try await ContinuousClock().measure { try await work() }
    return Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
}
