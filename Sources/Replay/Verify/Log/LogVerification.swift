// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Verifies a log: every entry, every checkpoint, and the index if it is asked for.
final class LogVerification {
    private let options: VerifyOptions
    private let progress: (VerifyProgress) -> Void
    private(set) var findings = FindingList()
    private(set) var checkpoints = CheckpointList()
    private(set) var origin: String?
    /// What the last commit left as its seal; `nil` where there is none, or it is none.
    private(set) var seal: CommitSeal?
    /// Whether something stands in the place of the seal that no program writes.
    private(set) var isSealUnreadable = false
    /// How the log says that it is written.
    private(set) var format: String?
    /// How many entries the log says that it has.
    private(set) var size: UInt64 = 0
    private(set) var merge: LogMerge
    private var pipeline: CheckPipeline?
    private var batch: EntryBatch
    private var stop: String?

    init(
        _ options: VerifyOptions,
        index: IndexSnapshot?,
        progress: @escaping (VerifyProgress) -> Void
    ) {
        self.options = options
        self.progress = progress
        self.index = index
        merge = LogMerge(index: index) { _ in }
        batch = EntryBatch(number: 0, first: 0, capacity: 0)
    }

    private let index: IndexSnapshot?
    /// Where a checkpoint a minute is missed.
    enum Expectation {
        case nowhere
        /// Behind the newest there is: what came before may have been imported with no more than that.
        case behindNewest
        /// From where the key began.
        case everywhere
    }

    var expectation = Expectation.nowhere
    /// Whether ids and commands are looked for that come twice, which takes memory for each entry.
    var looksForRepetitions = true
    /// Further sizes at which the root is wanted.
    var wantedSizes: [UInt64] = []

    /// Whether every entry was read.
    var isWhole: Bool { stop == nil && merge.reached == size }
    /// Whether every entry was read and could be decoded: only then does it say something that an event is not there.
    var isUnderstood: Bool { isWhole && merge.unreadCount == 0 }
    /// The root over all entries, if all were read.
    var root: MerkleHash? {
        guard isWhole else { return nil }
        return merge.root
    }

    /// Adds a checkpoint that is not in the log itself.
    func add(checkpoint text: String, from source: CheckpointList.Source) {
        checkpoints.add(text, from: source)
    }

    /// Reads items until `source` ends, then waits for all checks.
    ///
    /// - Parameters:
    ///   - place: What is read, for findings: `log/data.mdb`.
    ///   - source: Calls what it is given with each item; what it throws is damage.
    /// - Throws: ``CannotVerify`` if the source could not even begin.
    func run(_ place: String, _ source: (_ take: (LogWalk.Item) throws -> Void) throws -> Void)
        throws
    {
        do {
            try source(take)
        } catch WalkError.cannotStart(let reason) {
            finish()
            throw CannotVerify("verify \(place) was not possible: \(reason)")
        } catch {
            stop = "\(error)"
        }
        finish()
        if let stop { addStop(stop, place) }
        findings.add(merge.findings)
    }

    /// Takes the end of a file for the end of its log.
    func endOfFile() {
        size = merge.reached
    }

    private func take(_ item: LogWalk.Item) throws {
        switch item {
        case .fact(let name, let value):
            switch name {
            case "origin": origin = value
            case CommitSeal.factName:
                seal = CommitSeal(text: value)
                isSealUnreadable = seal == nil
            case "format": format = value
            default: addUnknown("the fact \(name)")
            }
        case .table(let name): addUnknown("the table \(name)")
        case .checkpoint(let size, let note):
            checkpoints.add(note, from: .log, storedSize: size)
        case .size(let size): begin(size)
        case .entry(_, let bytes):
            if pipeline == nil { begin(0) }
            batch.append(bytes)
            if batch.isFull { submit() }
        }
    }

    private func addUnknown(_ what: String) {
        findings.add(
            Finding(
                .note,
                place: "log/data.mdb",
                "it has \(what), which this program does not know and does not read",
                advice: "ask who put it there; a newer daybook may have"
            )
        )
    }

    private func begin(_ size: UInt64) {
        self.size = size
        let progress = progress
        merge = LogMerge(
            index: index,
            cadence: cadence,
            looksForRepetitions: looksForRepetitions
        ) { done in
            progress(VerifyProgress(stage: "log", done: done, of: size))
        }
        let merge = merge
        pipeline = CheckPipeline(
            threads: max(1, options.threads),
            EntryChecker.Scope(
                decodes: !options.isQuick,
                keys: options.isQuick ? nil : options.keys,
                origin: [UInt8]((origin ?? "").utf8),
                sizes: Set(
                    checkpoints.sizes + wantedSizes + [size] + (seal.map { [$0.size] } ?? [])
                )
                .sorted(),
                indexSize: index?.size ?? 0
            )
        ) { merge.add($0) }
    }

    private func submit() {
        pipeline?.submit(batch)
        batch = EntryBatch(
            number: batch.number + 1,
            first: batch.first + UInt64(batch.count),
            capacity: batch.bytes.count + 16_384
        )
    }

    private var cadence: CheckpointCadence? {
        let begun: UInt64? =
            switch expectation {
            case .nowhere where !checkpoints.known.contains(where: \.isOfLedger): nil
            case .nowhere, .behindNewest: checkpoints.known.map(\.checkpoint.size).max() ?? 0
            case .everywhere: checkpoints.known.map(\.checkpoint.begun).max() ?? 0
            }
        return begun.map { CheckpointCadence(sizes: checkpoints.sizes, begun: $0) }
    }

    private func finish() {
        if batch.count > 0 { submit() }
        pipeline?.finish()
        pipeline = nil
        merge.finish()
    }

    private func addStop(_ reason: String, _ place: String) {
        let end = merge.reached
        findings.add(
            Finding(
                .damage,
                place: place,
                position: end,
                "\(reason); read up to position \(end), what stands behind it was not checked",
                advice:
                    "restore the log from a backup, or bring what can be read into safety with daybook export"
            )
        )
    }
}
