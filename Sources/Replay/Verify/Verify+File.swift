// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

extension Verify {
    /// Verifies an exported file: its entries as a log of their own, and against checkpoints.
    ///
    /// - Throws: ``CannotVerify`` if the file cannot be read.
    public static func exportedFile(
        at file: URL,
        options: VerifyOptions = VerifyOptions(),
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) async throws -> VerifyReport {
        var verify = Verify(
            folder: file,
            options: options,
            progress: progress,
            report: VerifyReport(subject: file.path)
        )
        verify.options.without = Set(VerifyOptions.Part.allCases)
        try verify.runFile()
        return verify.report
    }

    private mutating func runFile() throws {
        let lines: ExportedFile
        do {
            lines = try ExportedFile(folder.path)
        } catch {
            throw CannotVerify(
                "verify \(folder.path) was not possible: \(error.localizedDescription)"
            )
        }
        let log = LogVerification(options, index: nil, progress: progress)
        // What the export wrote beside its lines.
        let note = URL(filePath: folder.path + Export.checkpointSuffix)
        if FileManager.default.fileExists(atPath: note.path) { options.against.append(note) }
        try addAgainst(to: log)
        let start = ContinuousClock.now
        try log.run(folder.lastPathComponent) { take in
            var position: UInt64 = 0
            while let line = try lines.next() {
                if position == 0 {
                    try take(.fact(name: "origin", value: Self.origin(of: line)))
                    try take(.size(Self.sizeUnknown))
                }
                try line.withUnsafeBytes { try take(.entry(position, $0)) }
                position += 1
            }
        }
        log.endOfFile()
        report.addLog(log, isQuick: options.isQuick, since: start)
        report.origin = log.origin
        if log.size == 0 { add(.damage, folder.lastPathComponent, "it is empty", "export again") }
        try checkCheckpoints(log, try verifiers(LedgerPapers()), [])
        isLogUnderstood = log.isUnderstood
        checkPeople(log)
        nameUnexplained()
        checkRepetitions(log) { [folder] in try Self.entries($0, ofFile: folder) }
        report.notLookedAt.append("recordings, pictures and keys, which an export has not")
        report.notLookedAt.append(
            "whether the log went on behind the last line (--against a newer checkpoint tells)"
        )
    }

    private static func entries(
        _ positions: Set<UInt64>,
        ofFile file: URL
    ) throws -> [UInt64: Entry] {
        let lines = try ExportedFile(file.path)
        var found: [UInt64: Entry] = [:]
        var position: UInt64 = 0
        while let line = try lines.next() {
            // An envelope that cannot be read is damage by itself, and was found.
            if positions.contains(position) { found[position] = try? Entry(parsing: line) }
            position += 1
        }
        return found
    }

    /// A file does not say how many entries it has.
    private static let sizeUnknown = UInt64.max

    private static func origin(of line: [UInt8]) -> String {
        // A first entry that cannot be read is found by the check of the entries.
        (try? Entry(parsing: line))?.envelope.source ?? ""
    }
}
