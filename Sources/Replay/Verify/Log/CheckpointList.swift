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
        var isVerified: Bool { key != nil }
        /// The key that signed it, of those that are believed.
        fileprivate(set) var key: NoteVerifier?

        /// Whether it lay with the ledger.
        var isOfLedger: Bool { source == .log || source == .folder }

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

    /// Checks that all are of this ledger, and signed by a key of its, if those are known.
    ///
    /// A ledger whose key was lost goes on with a new one, whose checkpoints say how many entries it found: what an older key
    /// signed counts up to there.
    mutating func check(origin: String?, verifiers: [NoteVerifier]) {
        for one in known {
            if let origin, one.checkpoint.origin != origin {
                damage(one.source, "it is of the ledger \(one.checkpoint.origin), not \(origin)")
            }
        }
        guard !verifiers.isEmpty else { return }
        let signatures = Signatures(known.count)
        let list = known
        DispatchQueue.concurrentPerform(iterations: list.count) { index in
            signatures.set(index, Result { try list[index].note.verify(with: verifiers) })
        }
        let begun = newestBeginning(signatures)
        for (index, signature) in signatures.all.enumerated() {
            do {
                known[index].key = try signature?.get().first
                checkSpan(index, begun)
            } catch {
                addUnsigned(known[index], "\(error)", begun)
            }
        }
    }

    /// The key that began last, and where.
    private func newestBeginning(_ signatures: Signatures) -> (key: NoteVerifier, size: UInt64)? {
        zip(known, signatures.all).compactMap { one, signature in
            (try? signature?.get().first).map { ($0, one.checkpoint.begun) }
        }.max { $0.1 < $1.1 }
    }

    private mutating func checkSpan(_ index: Int, _ newest: (key: NoteVerifier, size: UInt64)?) {
        let one = known[index]
        guard let newest, newest.size > 0, let key = one.key, key != newest.key,
            one.checkpoint.size > newest.size
        else { return }
        known[index].key = nil
        damage(
            one.source,
            "size \(one.checkpoint.size): \(key.key) signed it, though another key began at \(newest.size)"
        )
    }

    private mutating func addUnsigned(
        _ one: Known,
        _ fault: String,
        _ newest: (key: NoteVerifier, size: UInt64)?
    ) {
        let size = one.checkpoint.size
        // What somebody kept of an older key is compared all the same, and its key may have been kept, too.
        guard !one.isOfLedger, let newest, newest.size > 0, size <= newest.size else {
            return damage(one.source, "size \(size): \(fault)")
        }
        findings.add(
            Finding(
                .note,
                place: one.source.place,
                "size \(size): \(fault); it is from before \(newest.key.key) began at \(newest.size), and only its root was compared",
                advice: "give the key that signed it, too: a --vkey for each"
            )
        )
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

/// What several threads find out about signatures.
private final class Signatures: @unchecked Sendable {
    // Touched under the lock only.
    private var results: [Result<[NoteVerifier], any Error>?]
    private let lock = NSLock()

    init(_ count: Int) {
        results = Array(repeating: nil, count: count)
    }

    func set(_ index: Int, _ result: Result<[NoteVerifier], any Error>) {
        lock.withLock { results[index] = result }
    }

    var all: [Result<[NoteVerifier], any Error>?] { lock.withLock { results } }
}
