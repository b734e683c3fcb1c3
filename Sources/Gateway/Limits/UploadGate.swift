// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets in a few large bodies at a time, so that they do not fill the memory together, and of one sender fewer still: who
/// sends slowly keeps nobody else out.
final class UploadGate: Sendable {
    private let most: Int
    private let mostOfSender: Int
    private let open = Mutex<[String: Int]>([:])

    init(most: Int, ofSender mostOfSender: Int) {
        self.most = most
        self.mostOfSender = mostOfSender
    }

    /// Does the work of an upload.
    ///
    /// - Parameters:
    ///   - sender: Whose it is; see ``Principal/holder``.
    ///   - work: What is to be done.
    /// - Returns: What the work returns.
    /// - Throws: ``ProblemType/tooManyRequests`` when too many of the sender are under way, and
    ///   ``ProblemType/unavailable`` when too many of all are, both with `Retry-After`; what the work throws.
    func pass<Answer>(
        of sender: String,
        _ work: () async throws -> Answer
    ) async throws -> Answer {
        try open.withLock { open in
            let own = open[sender, default: 0]
            guard own < mostOfSender else {
                throw Problem.tooManyRequests(
                    "\(own) uploads of yours are under way; send it again when one has ended",
                    wait: .seconds(1)
                )
            }
            guard open.values.reduce(0, +) < most else {
                throw Problem.tryLater(.unavailable, "\(most) uploads are under way; send it again")
            }
            open[sender] = own + 1
        }
        defer {
            open.withLock { open in
                let others = open[sender, default: 1] - 1
                open[sender] = others == 0 ? nil : others
            }
        }
        return try await work()
    }
}
