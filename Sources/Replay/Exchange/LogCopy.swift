// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The entries of a log on their way out as lines: each is held against what an entry must be, all together against what
/// was signed and against the export that they are to replace.
///
/// Looks at what `verify --quick` looks at, but for signatures, and for ids and commands that come twice: that takes memory
/// for each entry.
struct LogCopy {
    /// How many lines were written.
    private(set) var count: UInt64 = 0
    private let log: LogVerification
    private let earlier: EarlierExport?
    private let file: CheckpointFile
    private let verifiers: [NoteVerifier]
    private var writer: LineWriter
    private var size: UInt64 = 0

    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - output: Where the lines go.
    ///   - earlier: What they are to replace.
    init(of folder: URL, to output: FileHandle, _ earlier: EarlierExport?) {
        var options = VerifyOptions()
        options.isQuick = true
        log = LogVerification(options, index: nil) { _ in }
        log.looksForRepetitions = false
        writer = LineWriter(output)
        self.earlier = earlier
        if let note = earlier?.note, let path = earlier?.path {
            log.add(checkpoint: note, from: .auditor(path + Export.checkpointSuffix))
        }
        // Read before the log, which may grow meanwhile; whether it is to be believed, ``LogEnd`` says.
        file = CheckpointFile.read(in: folder)
        verifiers = LedgerKeys.verifiers(of: folder)
    }

    /// Copies what a walk finds; what ends the walk early is damage.
    ///
    /// - Throws: ``CannotVerify`` if it cannot begin or the lines may not go there, and what writing throws.
    mutating func run(
        _ walk: LogWalk,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void
    ) throws {
        var fault: (any Error)?
        try log.run("log/data.mdb") { take in
            do {
                try walk.run { item in
                    do {
                        try write(item, progress)
                    } catch {
                        fault = error
                        throw error
                    }
                    try take(item)
                }
            } catch WalkError.cannotStart(let reason) {
                fault = CannotVerify(
                    "export of \(walk.folder.path) was not possible: \(reason)"
                )
            }
        }
        if let fault { throw fault }
        try writer.flush()
        progress(count, size)
        try earlier?.check(log.origin)
    }

    private mutating func write(
        _ item: LogWalk.Item,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void
    ) throws {
        switch item {
        case .fact, .table, .checkpoint: break
        case .size(let size):
            self.size = size
            if let text = file.text,
                (try? Checkpoint(believing: text, of: log.origin, verifiers)) != nil
            {
                log.add(checkpoint: text, from: .folder)
            }
        case .entry(_, let bytes):
            try writer.write(bytes)
            count += 1
            if count.isMultiple(of: 4_096) { progress(count, size) }
        }
    }

    /// The newest signed checkpoint of the log; `nil` if it has none.
    var newestCheckpoint: String? {
        log.checkpoints.known.filter { $0.source == .log }
            .max { $0.checkpoint.size < $1.checkpoint.size }?.note.description
    }

    /// What is wrong with the lines, with positions; `nil` if nothing is.
    var damage: String? {
        var found = log.findings
        found.add(log.checkpoints.findings)
        found.add(
            log.checkpoints.compare(
                roots: log.merge.roots,
                reached: log.merge.reached,
                isWhole: log.isWhole,
                suspects: []
            )
        )
        guard found.damageCount > 0 else { return nil }
        let told = found.kept.filter { $0.severity == .damage }
            .sorted { ($0.position ?? .max) < ($1.position ?? .max) }.prefix(Self.toldMax)
        let words = told.map { "\($0.place): \($0.fact)" }.joined(separator: "; ")
        let rest = found.damageCount - told.count
        return rest == 0 ? words : "\(words); and \(rest) more"
    }

    /// How many findings are spelt out: `verify` spells out the rest.
    private static let toldMax = 3
}

/// Collects lines and writes many at once.
private struct LineWriter {
    private let output: FileHandle
    private var buffer = Data()

    init(_ output: FileHandle) {
        self.output = output
    }

    mutating func write(_ line: UnsafeRawBufferPointer) throws {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= ReplayLimits.readBytes { try flush() }
    }

    mutating func flush() throws {
        try output.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
