// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import ServiceLifecycle

/// Tells apart, at each start, what a crash left between writing a file and the event that names it.
struct BlobSweepService: Service {
    let ledger: Ledger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.sweep() }
            try await gracefulShutdown()
        } catch is CancellationError {
            // The gateway stops; the next start looks again.
        }
    }

    private func sweep() async throws {
        do {
            try await ledger.sweepBlobs()
        } catch let error as CancellationError {
            throw error
        } catch {
            ledger.logger.error("blobs were not swept", metadata: ["error": "\(error)"])
        }
    }
}

extension Ledger {
    /// Moves what events name to its place, and removes what none does, of the files that a process
    /// before this one left.
    func sweepBlobs() async throws {
        let log = log
        try await blobs.sweep { found in
            var named: Set<SHA256Digest> = []
            var next = LogPosition(0)
            while true {
                let page = try log.entries(of: ChatAttachmentAdded.kind, from: next)
                guard let last = page.last else { return named }
                for entry in page {
                    guard
                        case .chat(.attachmentAdded(let added)) = try EventDecoder().decode(entry)
                            .fact
                    else { continue }
                    if found.contains(added.blob) { named.insert(added.blob) }
                }
                next = last.envelope.position.next
            }
        }
    }
}
