// SPDX-License-Identifier: Apache-2.0
import Commands
import Testing

/// How one refusal comes about: the case's name, and commands of which the last is refused.
struct RefusalScenario: Sendable, CustomTestStringConvertible {
    /// `ClaimSession.taken`.
    let name: String
    let play: @Sendable (MemoryLedger) throws -> Void

    init(_ name: String, _ play: @escaping @Sendable (MemoryLedger) throws -> Void) {
        self.name = name
        self.play = play
    }

    var testDescription: String { name }

    /// All of them.
    static let all =
        sessions + chat + telephony + cameras + channels + safety + streams + places + reports
        + clock
        + alerts
        + callOuts
        + patrols
        + others
}

/// `ClaimSession.taken` for the case of that command's refusal.
func caseName(of refusal: any CommandRefusal) -> String {
    let type = String(reflecting: type(of: refusal)).split(separator: ".").map(String.init)
    let owner = type.last == "Refusal" ? type[type.count - 2] : type[type.count - 1]
    let label = Mirror(reflecting: refusal).children.first?.label ?? "?"
    return "\(owner).\(label)"
}
