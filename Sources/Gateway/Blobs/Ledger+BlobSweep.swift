// SPDX-License-Identifier: Apache-2.0
import Events

extension Ledger {
    /// Tells apart, at each start, what a crash left between writing a file and the event that names it: moves what
    /// events name to its place, and removes what none does.
    func sweepBlobs() async throws {
        let log = log
        try await blobs.sweep { found in
            var named: Set<SHA256Digest> = []
            for kind in Fact.kindsOfFiles {
                var next = LogPosition(0)
                while true {
                    let page = try log.entries(of: kind, from: next)
                    guard let last = page.last else { break }
                    for entry in page {
                        guard let blob = try EventDecoder().decode(entry).fact.storedFile?.blob
                        else {
                            continue
                        }
                        if found.contains(blob) { named.insert(blob) }
                    }
                    next = last.envelope.position.next
                }
            }
            return named
        }
    }
}
