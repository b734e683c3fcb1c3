// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets in a few large bodies at a time, whoever sends them, so that they do not fill the memory together.
final class UploadGate: Sendable {
    private let most: Int
    private let open = Mutex(0)

    init(most: Int) { self.most = most }

    /// Does the work of an upload.
    ///
    /// - Throws: ``ProblemType/unavailable`` with `Retry-After` when too many are under way; what the work throws.
    func pass<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        let isIn = open.withLock { open in
            guard open < most else { return false }
            open += 1
            return true
        }
        guard isIn else {
            throw Problem.tryLater(.unavailable, "\(most) uploads are under way; send it again")
        }
        defer { open.withLock { $0 -= 1 } }
        return try await work()
    }
}
