// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the table: a value beside its baseline from the same run, and the ratio that counts.
struct Row: Codable {
    let name: String
    let value: Double
    let unit: String
    let baseline: Double?
    let ratio: Double?
    let target: Double
    /// Whether a higher ratio (or value, without a baseline) is better.
    let higherIsBetter: Bool

    /// Whether the target was reached.
    var isReached: Bool {
        let reached = ratio ?? value
        return higherIsBetter ? reached >= target : reached <= target
    }

    /// Two spaces between the columns, so that scripts can split them.
    var line: String {
        let columns = [
            name, Row.text(value), unit, baseline.map(Row.text) ?? "-",
            ratio.map { String(format: "%.2f", $0) } ?? "-",
            (higherIsBetter ? "≥" : "≤") + Row.text(target), isReached ? "ok" : "short",
        ]
        return columns.joined(separator: "  ")
    }

    private static func text(_ value: Double) -> String {
        value >= 100 ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }
}
