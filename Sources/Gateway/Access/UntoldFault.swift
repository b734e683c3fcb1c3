// SPDX-License-Identifier: Apache-2.0

/// A fault of this machine that met a stranger: its kind is told, its words are not, for they have paths and reasons.
///
/// The log of the gateway has them, as it has those of every fault.
struct UntoldFault: ProblemRepresentable, CustomStringConvertible {
    let cause: any Error

    var problem: Problem {
        let whole = ProblemTable.problem(for: cause)
        return Problem(
            whole.type,
            detail: "whoever runs this gateway finds the reason in its log and in /readyz",
            headers: whole.headers
        )
    }

    var description: String { "\(cause)" }

    /// Answers a stranger.
    ///
    /// What the door and the accounts say was written for strangers, too.
    ///
    /// - Throws: What the work throws; for a fault that other parts put into words, this in its place.
    static func keeping<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch let error as any ProblemRepresentable {
            guard error.problem.isFault, !(error is Problem), !(error is AccountError) else {
                throw error
            }
            throw UntoldFault(cause: error)
        }
    }
}
