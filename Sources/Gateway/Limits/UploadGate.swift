// SPDX-License-Identifier: Apache-2.0
import Threads

/// Lets in a few large bodies at a time, so that they do not fill the memory together, and of one sender fewer still: who
/// sends slowly keeps nobody else out.
final class UploadGate: Sendable {
    private let queue: FairQueue

    init(most: Int, ofSender mostOfSender: Int) {
        queue = FairQueue(
            FairQueue.Limits(
                places: most,
                placesOfHolder: mostOfSender,
                waiting: 0,
                ofHolder: mostOfSender
            )
        )
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
        do {
            return try await queue.withPlace(for: sender) { _ in try await work() }
        } catch let full as FairQueue.Full {
            throw full.problem(
                ofHolder: "uploads of yours are under way; send it again when one has ended",
                ofAll: "uploads are under way; send it again"
            )
        }
    }
}

/// Lets in pictures: so many a sender in a time, and so many at once.
struct PictureGate: Sendable {
    private let rates: ClientRates
    private let uploads: UploadGate

    init(_ limits: GatewayLimits) {
        rates = ClientRates(limits.picturesOfPrincipal, capacity: limits.rememberedClients)
        uploads = UploadGate(
            most: limits.pictureUploads,
            ofSender: limits.pictureUploadsOfPrincipal
        )
    }

    /// Does the work of a picture, as ``UploadGate/pass(of:_:)`` does.
    ///
    /// - Parameters:
    ///   - sender: Whose it is: a principal's holder, or an address.
    ///   - work: What is to be done.
    /// - Returns: What the work returns.
    /// - Throws: ``ProblemType/tooManyRequests`` for who sends too many; what the gate and the work throw.
    func pass<Answer>(
        of sender: String,
        _ work: () async throws -> Answer
    ) async throws -> Answer {
        if let wait = rates.admit(sender) {
            throw Problem.tooManyRequests("send fewer pictures", wait: wait)
        }
        return try await uploads.pass(of: sender, work)
    }
}

extension FairQueue.Full {
    /// 429 for a holder who has too many, 503 where all have, both with `Retry-After`.
    ///
    /// - Parameters:
    ///   - ofHolder: What is said of the holder's own, behind their number.
    ///   - ofAll: What is said of all, behind their number.
    /// - Returns: The problem to answer with.
    func problem(ofHolder: String, ofAll: String) -> Problem {
        switch self {
        case .ofHolder(let count): .tooManyRequests("\(count) \(ofHolder)", wait: .seconds(1))
        case .ofAll(let count): .tryLater(.unavailable, "\(count) \(ofAll)")
        }
    }
}
