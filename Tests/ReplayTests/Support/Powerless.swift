// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Runs programs as somebody to whom the permissions of files apply, though the tests run as root.
enum Powerless {
    /// The user nobody; or root without its powers, where another user cannot even reach the programs because `/` is
    /// closed to all but its owner.
    private static func arguments() throws -> [String] {
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
        let trial = try AuditedLedger.run(program: "/usr/bin/setpriv", nobody + ["/bin/true"])
        return trial.code == 0 ? nobody : ["--bounding-set=-all", "--inh-caps=-all"]
    }

    /// Runs `daybook`.
    static func run(_ words: [String]) throws -> FinishedProgram {
        try AuditedLedger.run(
            program: "/usr/bin/setpriv",
            try arguments() + [try AuditedLedger.daybook] + words
        )
    }
}
