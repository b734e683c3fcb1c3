// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Maps

/// What contacts are told of a citizen's call for help (source 4, UC-51 and UC-52).
struct SOSWords {
    let ledger: Ledger
    /// As the citizen wants to be called; `nil` where none was given.
    let name: String?

    /// The message for a contact's language.
    ///
    /// - Parameters:
    ///   - template: The wording's name, `sos` for a call for help.
    ///   - language: Two letters.
    ///   - fix: Where the citizen is; `nil` where the phone cannot tell.
    ///   - time: When it happened.
    /// - Returns: What the SMS and the e-mail say.
    /// - Throws: ``Problem`` 422 where a wording names a variable that has no value.
    func message(
        _ template: String,
        in language: String,
        at fix: Fix?,
        _ time: Timestamp
    ) throws -> AlertMessage {
        let isGerman = language == "de"
        return try ledger.message(
            template,
            in: language,
            values: [
                "name": name ?? (isGerman ? "Jemand, der Sie kennt," : "Somebody who knows you"),
                "place": place(fix, isGerman: isGerman),
                "time": self.time(time),
            ],
            template == "sos" ? .critical : .warning
        )
    }

    private func place(_ fix: Fix?, isGerman: Bool) -> String {
        // The words are made before the command is decided, which refuses such a place.
        guard let fix, fix.isPlausible else {
            return isGerman ? "Der Ort ist nicht bekannt" : "The place is not known"
        }
        let digits = { (degrees: Double) in
            degrees.formatted(
                .number.precision(.fractionLength(5)).grouping(.never)
                    .locale(Locale(identifier: "en_US_POSIX"))
            )
        }
        var words = town(fix, isGerman: isGerman)
        words += "\(digits(fix.latitude)), \(digits(fix.longitude))"
        if let metres = fix.accuracyMetres, metres < 1e6 {
            // Not ±: it is no letter of an SMS, and would halve what fits into one.
            words += " (\(isGerman ? "auf" : "within") \(Int(metres.rounded())) m)"
        }
        words += ", " + fix.plusCode
        guard let measured = fix.measuredAt.map({ min($0, ledger.now) }) else { return words }
        return words + (isGerman ? ", gemessen " : ", measured ") + time(measured)
    }

    /// `12 km north-west of Leeds: `; empty where no town is near.
    private func town(_ fix: Fix, isGerman: Bool) -> String {
        let nearest = ledger.configuration.gazetteer?.nearest(
            latitude: fix.latitude,
            longitude: fix.longitude
        )
        guard let nearest, nearest.metres < Self.townMetresMost else { return "" }
        let kilometres = Int((nearest.metres / 1_000).rounded())
        guard kilometres >= Self.nearKilometres else {
            return (isGerman ? "bei " : "near ") + nearest.name + ": "
        }
        let direction = (isGerman ? Self.german : Self.english)[nearest.direction.rawValue]
        return "\(kilometres) km \(direction) \(nearest.name): "
    }

    private static let townMetresMost = 300_000.0
    private static let nearKilometres = 4
    /// In the order of ``Gazetteer/Direction``.
    private static let english = [
        "north of", "north-east of", "east of", "south-east of", "south of", "south-west of",
        "west of", "north-west of",
    ]
    private static let german = [
        "nördlich von", "nordöstlich von", "östlich von", "südöstlich von", "südlich von",
        "südwestlich von", "westlich von", "nordwestlich von",
    ]

    /// By the site's clock: `Sat 28 Nov 13:05 GMT`.
    private func time(_ time: Timestamp) -> String {
        let zone = ledger.configuration.timeZone
        let style = Date.VerbatimFormatStyle(
            format:
                "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: zone,
            calendar: Calendar(identifier: .gregorian)
        )
        let date = Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
        return date.formatted(style) + " " + (zone.abbreviation(for: date) ?? zone.identifier)
    }
}
