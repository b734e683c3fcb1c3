// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// Where the options of `serve` come from: the command line, else the environment, else the configuration file.
///
/// In the file an option is a line `name = value`, without its dashes; `#` begins a comment, values may stand in quotes.
/// `map` may stand there several times. A name that is none, or that stands twice, is refused: a typing error must not
/// leave a gateway open.
struct Settings {
    /// What may be set, as the options are called.
    static let names: Set<String> = [
        "data", "listen", "origin", "master-key", "tls-certificate", "tls-key", "behind-proxy",
        "time-zone", "start-limit", "push-contact", "push-roots", "push-reach", "web", "map",
        "assets",
        "metrics", "media-reserve", "log-level", "log-format",
    ]

    private let file: [String: [String]]
    private let environment: [String: String]

    /// Reads the file that an option names, or the variable `DAYBOOK_CONFIG`; without either there is none.
    ///
    /// - Throws: A `ValidationError` that names the line.
    init(
        file path: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        self.environment = environment
        guard let path = path ?? environment["DAYBOOK_CONFIG"] else {
            file = [:]
            return
        }
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ValidationError(
                "the configuration file \(path) cannot be read: \(error.localizedDescription)"
            )
        }
        file = try Self.entries(of: text, in: path)
    }

    /// The entries of a file.
    static func entries(of text: String, in path: String) throws -> [String: [String]] {
        var entries: [String: [String]] = [:]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let place = "\(path), line \(number + 1)"
            guard let equals = line.firstIndex(of: "=") else {
                throw ValidationError("\(place): write name = value")
            }
            let name = line[..<equals].trimmingCharacters(in: .whitespaces)
            guard names.contains(name) else {
                throw ValidationError(
                    "\(place): there is no setting \(name); daybook serve --help lists them"
                )
            }
            guard entries[name] == nil || name == "map" else {
                throw ValidationError("\(place): \(name) stands there already")
            }
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            entries[name, default: []].append(unquoted(value))
        }
        return entries
    }

    /// A setting; `nil` where nobody set it.
    ///
    /// - Parameters:
    ///   - name: As the option is called, without its dashes.
    ///   - option: What the command line says.
    /// - Returns: The value of whoever comes first.
    func text(_ name: String, _ option: String?) -> String? {
        option ?? environment[Self.variable(name)] ?? file[name]?.first
    }

    /// A setting that is on or off.
    ///
    /// - Throws: When it is neither.
    func isOn(_ name: String, _ option: Bool) throws -> Bool {
        if option { return true }
        switch text(name, nil) {
        case nil, "0", "false", "no": return false
        case "1", "true", "yes": return true
        case let other?: throw ValidationError("\(name) is true or false, not \(other)")
        }
    }

    /// A setting with several values; in its variable they are separated, paths by colons.
    func texts(_ name: String, _ options: [String], separator: Character = ":") -> [String] {
        if !options.isEmpty { return options }
        if let named = environment[Self.variable(name)] {
            return named.split(separator: separator).map(String.init)
        }
        return file[name] ?? []
    }

    /// The variable of an option: `DAYBOOK_LISTEN` for `--listen`; that of the master key names its file.
    static func variable(_ name: String) -> String {
        let suffix = name == "master-key" ? "_FILE" : ""
        return "DAYBOOK_" + name.uppercased().replacing("-", with: "_") + suffix
    }

    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, let first = value.first, first == value.last, "\"'".contains(first)
        else { return value }
        return String(value.dropFirst().dropLast())
    }
}
