// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

extension Daybook {
    /// What serves a ledger.
    static let serving: [any ParsableCommand.Type] = [ServeCommand.self]
}
