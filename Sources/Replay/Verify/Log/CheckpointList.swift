// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The signed tree heads that a log is held against, and what is wrong with them as documents.
struct CheckpointList: Sendable {
    /// Where one was found.
    enum Source: Hashable, Sendable {
        case log
        case folder
        /// Given by whoever asks: kept elsewhere, so it proves the most.
        case auditor(String)

        var place: String {
            switch self {
            case .log: "checkpoint in the log"
            case .folder: "file checkpoint"
            case .auditor(let path): path
            }
        }
    }

    /// One whose text could be read.
    struct Known: Sendable {
        let source: Source
        let note: SignedNote
        let checkpoint: Checkpoint
        /// Whether the key that is believed signed it.
        var isVerified = false

        func agrees(with roots: [UInt64: MerkleHash]) -> Bool {
            let root = checkpoint.size == 0 ? .emptyTree : roots[checkpoint.size]
            return root == checkpoint.root
        }
    }

    private(set) var known: [Known] = []
    private(set) var findings = FindingList()

    /// Reads a note.
    ///
    /// - Parameters:
    ///   - text: The note as it was found; what is wrong with it becomes a finding.
    ///   - source: Where it was found.
    ///   - storedSize: The size under which the log keeps it; `nil` for a note from elsewhere.
    mutating func add(_ text: String, from source: Source, storedSize: UInt64? = nil) {
        do {
            let note = try SignedNote(text)
            let checkpoint = try Checkpoint(text: note.text)
            if let storedSize, storedSize != checkpoint.size {
                damage(
                    source,
                    "it covers \(checkpoint.size) entries and is kept under \(storedSize)"
                )
            }
            known.append(Known(source: source, note: note, checkpoint: checkpoint))
        } catch {
            damage(source, storedSize.map { "size \($0): \(error)" } ?? "\(error)")
        }
    }

    /// Checks that all are of this ledger, and signed by its key if that is known.
    mutating func check(origin: String?, verifier: NoteVerifier?) {
        for one in known {
            if let origin, one.checkpoint.origin != origin {
                damage(one.source, "it is of the ledger \(one.checkpoint.origin), not \(origin)")
            }
        }
        guard let verifier else { return }
        let faults = SignatureFaults()
        let list = known
        DispatchQueue.concurrentPerform(iterations: list.count) { index in
            do {
                _ = try list[index].note.verify(with: [verifier])
            } catch {
                faults.add(index, "\(error)")
            }
        }
        for index in known.indices { known[index].isVerified = true }
        for (index, fault) in faults.sorted {
            known[index].isVerified = false
            damage(list[index].source, "size \(list[index].checkpoint.size): \(fault)")
        }
    }

    /// The sizes at which roots are needed, ascending.
    var sizes: [UInt64] { Set(known.map(\.checkpoint.size)).sorted() }

    /// The newest one.
    var newest: Known? { known.max { $0.checkpoint.size < $1.checkpoint.size } }

    private mutating func damage(_ source: Source, _ fact: String) {
        findings.add(
            Finding(
                .damage,
                place: source.place,
                fact,
                advice: "compare it with a checkpoint that was kept elsewhere"
            )
        )
    }
}

/// Faults that several threads find at once.
private final class SignatureFaults: @unchecked Sendable {
    // Touched under the lock only.
    private var faults: [(Int, String)] = []
    private let lock = NSLock()

    func add(_ index: Int, _ fault: String) {
        lock.withLock { faults.append((index, fault)) }
    }

    var sorted: [(Int, String)] { lock.withLock { faults.sorted { $0.0 < $1.0 } } }
}
