// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Logging
import Synchronization

/// What the gateway writes down for whoever runs it, on standard error.
///
/// No line tells what people said or who they are: it has ids, routes, counts and reasons.
public enum GatewayLog {
    /// How a line looks.
    public enum Format: String, Sendable, CaseIterable {
        /// One JSON object a line: `time`, `level`, `category`, `message`, `facts`.
        case json
        /// For people at a terminal.
        case text
    }

    /// What a line is about, for those who sort them: the fact `category` of an entry, or ``service``.
    public enum Category: String, Sendable, CaseIterable {
        /// Somebody was turned away, or something tried what it never should.
        case security
        /// A request was answered.
        case access
        /// Everything else: what the gateway itself does.
        case service
    }

    private static let writer = Mutex<LineWriter?>(nil)

    /// Sends what this process logs to standard error; call it once.
    ///
    /// Nobody waits for whoever reads there, and the process goes on when nobody does; see ``LineWriter``.
    ///
    /// - Parameters:
    ///   - level: The least that is written.
    ///   - format: How.
    public static func begin(level: Logger.Level, format: Format) {
        // Nor does what is printed end it when its reader is gone.
        signal(SIGPIPE, SIG_IGN)
        let writer = LineWriter(to: STDERR_FILENO) { lost in
            LogLine(
                level: .warning,
                message: "lines of the log were lost",
                facts: ["lines": "\(lost)"]
            ).text(as: format)
        }
        Self.writer.withLock { $0 = writer }
        LoggingSystem.bootstrap { _ in
            LogLines(level: level, format: format) { writer.add($0) }
        }
    }

    /// Waits a second at most until what was logged is written; the last thing that a process does.
    public static func end() {
        writer.withLock { $0.take() }?.close()
    }

    /// How many lines nobody was given since the start.
    static var linesLost: Int { writer.withLock { $0?.lost ?? 0 } }
}

/// One entry of the log.
struct LogLine: Encodable {
    let time: String
    let level: String
    let category: String
    let message: String
    let facts: [String: String]?

    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: What happened.
    ///   - facts: With what; `category` among them says what the line is about.
    init(level: Logger.Level, message: String, facts: [String: String]) {
        var facts = facts
        time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        self.level = level.rawValue
        category =
            facts.removeValue(forKey: "category") ?? GatewayLog.Category.service.rawValue
        self.message = message
        self.facts = facts.isEmpty ? nil : facts
    }

    /// The line with its end, which is the only one in it.
    func text(as format: GatewayLog.Format) -> String {
        switch format {
        case .text: return words
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            do {
                return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
            } catch {
                // Strings always encode; should one not, its level at least is told.
                return "{\"level\":\"\(level)\",\"message\":\"a line could not be written\"}\n"
            }
        }
    }

    private var words: String {
        let facts = (facts ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        let line = ([time, level, "\(category):", message] + facts).joined(separator: " ")
        // What somebody sent moves nobody's cursor.
        return String(
            line.map {
                $0.isNewline || $0.unicodeScalars.contains(where: Self.isControl) ? " " : $0
            }
        )
            + "\n"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

/// Writes each entry of a log as a line.
struct LogLines: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let format: GatewayLog.Format
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - level: The least that is written.
    ///   - format: How a line looks.
    ///   - write: Takes a line with its end, whole.
    init(
        level: Logger.Level,
        format: GatewayLog.Format,
        write: @escaping @Sendable (String) -> Void
    ) {
        logLevel = level
        self.format = format
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { _, own in own }
            .mapValues { "\($0)" }
        write(
            LogLine(level: event.level, message: "\(event.message)", facts: facts).text(as: format)
        )
    }
}
