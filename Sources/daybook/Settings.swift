// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// What may be set: each an option of `serve`, a variable, and a line of the configuration file.
enum Setting: String, CaseIterable {
    case data
    case listen
    case origin
    case demo
    case masterKey = "master-key"
    case tlsCertificate = "tls-certificate"
    case tlsKey = "tls-key"
    case behindProxy = "behind-proxy"
    case trustedProxy = "trusted-proxy"
    case proxyHeader = "proxy-header"
    case timeZone = "time-zone"
    case publicAddress = "public-address"
    case shareDistress = "share-distress"
    case answerCitizens = "answer-citizens"
    case siteName = "site-name"
    case emergencyNumber = "emergency-number"
    case emergencySMS = "emergency-sms"
    case country
    case startLimit = "start-limit"
    case callerVideo = "caller-video"
    case textSessions = "text-sessions"
    case assignTexts = "assign-texts"
    case pushContact = "push-contact"
    case pushRoots = "push-roots"
    case pushReach = "push-reach"
    case web
    case webReload = "web-reload"
    case map
    case assets
    case metrics
    case sip
    case sipTLS = "sip-tls"
    case cameraNetworks = "camera-networks"
    case media
    case mediaReserve = "media-reserve"
    case passwordCost = "password-cost"
    case readWait = "read-wait"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// Options that a line or a variable would leave there for every start; `first` alone has a variable.
    static let ofOneStart = ["adopt-accounts", "carry-out-erasures", "first", "new-origin"]

    /// Whether it has several values.
    var mayStandAgain: Bool { [.map, .media, .trustedProxy].contains(self) }

    /// Its variable: `DAYBOOK_LISTEN` for `--listen`; that of the master key names its file.
    var variable: String {
        let suffix = self == .masterKey ? "_FILE" : ""
        return "DAYBOOK_" + rawValue.uppercased().replacing("-", with: "_") + suffix
    }
}

/// Where the options of `serve` come from: the command line, else the environment, else the configuration file.
///
/// In the file an option is a line `name = value`, without its dashes. `#` begins a comment at a line's beginning and behind a
/// space; a value that has one stands in quotes.
/// Some may stand there several times. A name that is none, or that stands twice, is refused: a typing error must not
/// leave a gateway open.
struct Settings {
    private let file: [Setting: [String]]
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
    static func entries(of text: String, in path: String) throws -> [Setting: [String]] {
        var entries: [Setting: [String]] = [:]
        // Lines end as an editor of any system ends them; one of Windows may begin the text with a byte order mark.
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let place = "\(path), line \(number + 1)"
            guard let equals = line.firstIndex(of: "=") else {
                throw ValidationError("\(place): write name = value")
            }
            let name = line[..<equals].trimmingCharacters(in: .whitespaces)
            guard !Setting.ofOneStart.contains(name) else {
                throw ValidationError(
                    "\(place): \(name) belongs to one start, and to no file: daybook serve --\(name)"
                )
            }
            guard let setting = Setting(rawValue: name) else {
                throw ValidationError(
                    "\(place): there is no setting \(name); daybook serve --help lists them"
                )
            }
            guard entries[setting] == nil || setting.mayStandAgain else {
                throw ValidationError("\(place): \(name) stands there already")
            }
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            guard let plain = self.value(value) else {
                throw ValidationError(
                    "\(place): \(name) has no value; one with # stands in quotes, with nothing but a comment behind them"
                )
            }
            entries[setting, default: []].append(plain)
        }
        return entries
    }

    /// A setting; `nil` where nobody set it.
    ///
    /// - Parameters:
    ///   - setting: Which.
    ///   - option: What the command line says.
    /// - Returns: The value of whoever comes first.
    func text(_ setting: Setting, _ option: String?) -> String? {
        option ?? environment[setting.variable] ?? file[setting]?.first
    }

    /// A setting that is on or off.
    ///
    /// - Throws: When it is neither.
    func isOn(_ setting: Setting, _ option: Bool) throws -> Bool {
        if option { return true }
        return try Self.isOn(text(setting, nil), setting.rawValue)
    }

    /// Whether `DAYBOOK_FIRST` says that no ledger is there yet; no line of a file, which would say so for ever.
    ///
    /// - Throws: When it says neither.
    static func isFirst(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Bool {
        try isOn(environment["DAYBOOK_FIRST"], "DAYBOOK_FIRST")
    }

    private static func isOn(_ text: String?, _ name: String) throws -> Bool {
        switch text {
        case nil, "0", "false", "no": return false
        case "1", "true", "yes": return true
        case let other?: throw ValidationError("\(name) is true or false, not \(other)")
        }
    }

    /// A setting with several values; in its variable they are separated, paths by colons.
    func texts(_ setting: Setting, _ options: [String], separator: Character = ":") -> [String] {
        if !options.isEmpty { return options }
        if let named = environment[setting.variable] {
            return named.split(separator: separator).map(String.init)
        }
        return file[setting] ?? []
    }

    /// A setting that is a whole number; `nil` where nobody set it.
    ///
    /// - Throws: When it is none, or not within the range.
    func number(
        _ setting: Setting,
        _ option: String?,
        in range: ClosedRange<Int>
    ) throws -> Int? {
        try text(setting, option).map(NumberOption.reading("--\(setting.rawValue)", in: range))
    }

    /// The value of a line without its quotes and the comment behind it; `nil` where there is none.
    private static func value(_ text: String) -> String? {
        guard let quote = text.first, "\"'".contains(quote) else {
            let end = text.indices.first { index in
                text[index] == "#"
                    && (index == text.startIndex || text[text.index(before: index)].isWhitespace)
            }
            let value = text[..<(end ?? text.endIndex)].trimmingCharacters(in: .whitespaces)
            return value.isEmpty ? nil : value
        }
        let inner = text.dropFirst()
        guard let end = inner.firstIndex(of: quote) else { return nil }
        let rest = inner[inner.index(after: end)...].trimmingCharacters(in: .whitespaces)
        return rest.isEmpty || rest.hasPrefix("#") ? String(inner[..<end]) : nil
    }
}
