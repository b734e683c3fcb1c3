// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Logging

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

    /// Sends what this process logs to standard error; call it once.
    ///
    /// - Parameters:
    ///   - level: The least that is written.
    ///   - format: How.
    public static func begin(level: Logger.Level, format: Format) {
        LoggingSystem.bootstrap { label in
            switch format {
            case .json:
                return JSONLines(level: level) { line in
                    FileHandle.standardError.write(Data(line.utf8))
                }
            case .text:
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = level
                return handler
            }
        }
    }
}

/// Writes each entry of a log as one line of JSON.
struct JSONLines: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - level: The least that is written.
    ///   - write: Takes a line with its end, whole.
    init(level: Logger.Level, write: @escaping @Sendable (String) -> Void) {
        logLevel = level
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private struct Line: Encodable {
        let time: String
        let level: String
        let category: String
        let message: String
        let facts: [String: String]?
    }

    func log(event: LogEvent) {
        var facts = metadata.merging(event.metadata ?? [:]) { _, own in own }
            .mapValues { "\($0)" }
        let category = facts.removeValue(forKey: "category")
        let line = Line(
            time: Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            level: event.level.rawValue,
            category: category ?? GatewayLog.Category.service.rawValue,
            message: "\(event.message)",
            facts: facts.isEmpty ? nil : facts
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            write(String(decoding: try encoder.encode(line), as: UTF8.self) + "\n")
        } catch {
            // Strings always encode; should one not, its level at least is told.
            write(
                "{\"level\":\"\(event.level.rawValue)\",\"message\":\"a line could not be written\"}\n"
            )
        }
    }
}
