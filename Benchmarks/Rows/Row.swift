// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the table: a value beside its baseline from the same run, and the ratio that counts.
struct Row: Codable {
    let name: String
    let value: Double
    let unit: String
    let baseline: Double?
    let ratio: Double?
    /// `nil` where nothing was promised.
    let target: Double?
    /// Whether a higher ratio (or value, without a baseline) is better.
    let higherIsBetter: Bool

    /// Whether the target was reached; `nil` without one.
    var isReached: Bool? {
        guard let target else { return nil }
        let reached = ratio ?? value
        return higherIsBetter ? reached >= target : reached <= target
    }

    /// Two spaces between the columns, so that scripts can split them.
    var line: String {
        let columns = [
            name, Row.text(value), unit, baseline.map(Row.text) ?? "-",
            ratio.map { String(format: "%.2f", $0) } ?? "-",
            target.map { (higherIsBetter ? "≥" : "≤") + Row.text($0) } ?? "-",
            isReached.map { $0 ? "ok" : "short" } ?? "-",
        ]
        return columns.joined(separator: "  ")
    }

    private static func text(_ value: Double) -> String {
        value >= 100 ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }
}
