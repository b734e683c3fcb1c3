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
    ///   - template: `sos`, `sos-drill`, `sos-safe` or `sos-false-alarm`.
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
        var words = "\(digits(fix.latitude)), \(digits(fix.longitude))"
        if let metres = fix.accuracyMetres, metres < 1e6 {
            words += " (± \(Int(metres.rounded())) m)"
        }
        words += ", " + PlusCode.text(latitude: fix.latitude, longitude: fix.longitude)
        guard let measured = fix.measuredAt else { return words }
        return words + (isGerman ? ", gemessen " : ", measured ") + time(measured)
    }

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
