// SPDX-License-Identifier: Apache-2.0
import GRDB
import Projections

extension AccountStore {
    /// Lets those who are signed in stay so when the ledger's time jumps: their sign-ins end as much later.
    ///
    /// What was issued for longer than a sign-in keeps the end that it was given.
    func postponeSignIns(by jump: Duration) async throws {
        let time = now().milliseconds
        let milliseconds = Int64(jump / .milliseconds(1))
        let life = Int64(limits.tokenLife / .milliseconds(1))
        try await durably { database in
            try database.execute(
                sql: """
                    UPDATE main.tokens NOT INDEXED
                    SET created = created + :jump, used = used + :jump, expires = expires + :jump
                    WHERE revoked IS NULL AND expires > :now AND expires - created <= :life
                        AND code IS \(SealedRows.code(of: "tokens"))
                    """,
                arguments: ["jump": milliseconds, "now": time, "life": life]
            )
        }
    }
}
