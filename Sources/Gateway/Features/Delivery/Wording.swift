// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// The words of messages: what an administrator wrote for a purpose and a language, otherwise what the program says.
///
/// Variables stand in braces. A purpose has its own; each of them has a value in every message of that purpose.
struct Wording: Hashable, Sendable {
    let name: String
    let language: String
    /// The subject line of e-mails; where it is absent the first line of the text.
    let subject: String?
    let text: String

    /// What the program says where nobody wrote anything else, in the languages of the pages.
    static let builtIn: [Wording] =
        [
            Wording("alert", "en", "{urgent}{centre}: {words}", "{urgent}{words}\n{centre}"),
            Wording("alert", "de", "{urgent}{centre}: {words}", "{urgent}{words}\n{centre}"),
            Wording(
                "call-out",
                "en",
                "{urgent}{centre} calls you: {words}",
                "{urgent}{centre} calls you: {words}\nI have it: {answer}"
            ),
            Wording(
                "call-out",
                "de",
                "{urgent}{centre} ruft Sie: {words}",
                "{urgent}{centre} ruft Sie: {words}\nIch übernehme: {answer}"
            ),
            Wording(
                "call-out-unanswered",
                "en",
                "{urgent}{centre}: nobody has answered: {words}",
                "{urgent}{centre}: nobody has answered: {words}\nI have it: {answer}"
            ),
            Wording(
                "call-out-unanswered",
                "de",
                "{urgent}{centre}: niemand hat geantwortet: {words}",
                "{urgent}{centre}: niemand hat geantwortet: {words}\nIch übernehme: {answer}"
            ),
            Wording(
                "code",
                "en",
                nil,
                "{centre}: your code is {code}. Open {address} on this phone and enter your number and the code."
            ),
            Wording(
                "code",
                "de",
                nil,
                "{centre}: Ihr Code ist {code}. Öffnen Sie {address} auf diesem Telefon und geben Sie Nummer und Code ein."
            ),
            Wording(
                "link",
                "en",
                nil,
                "{centre}: open {link} and enter the code that the operator tells you on the telephone."
            ),
            Wording(
                "link",
                "de",
                nil,
                "{centre}: Öffnen Sie {link} und geben Sie den Code ein, den man Ihnen am Telefon sagt."
            ),
            Wording(
                "report",
                "en",
                "{urgent}{centre}: rescue: {words}",
                "{urgent}{centre}: rescue for {agency}: {words}\nOpen: {link}"
            ),
            Wording(
                "report",
                "de",
                "{urgent}{centre}: Rettung: {words}",
                "{urgent}{centre}: Rettung für {agency}: {words}\nÖffnen: {link}"
            ),
            Wording(
                "report-nearby",
                "en",
                "{urgent}{centre}: rescue near you: {words}",
                "{urgent}{centre}: rescue near you, {agency} has it: {words}\nOpen: {link}"
            ),
            Wording(
                "report-nearby",
                "de",
                "{urgent}{centre}: Rettung in der Nähe: {words}",
                "{urgent}{centre}: Rettung in der Nähe, {agency} hat sie: {words}\nÖffnen: {link}"
            ),
            Wording(
                "report-unanswered",
                "en",
                "{urgent}{centre}: nobody has taken this rescue: {words}",
                "{urgent}{centre}: nobody has taken this rescue: {words}\nOpen: {link}"
            ),
            Wording(
                "report-unanswered",
                "de",
                "{urgent}{centre}: niemand hat diese Rettung übernommen: {words}",
                "{urgent}{centre}: niemand hat diese Rettung übernommen: {words}\nÖffnen: {link}"
            ),
            Wording(
                "sos",
                "en",
                "{urgent}{name} needs help",
                "{urgent}{name} needs help. {time}\n{place}\nWhere now, and I know of it: {answer}\n{centre}"
            ),
            Wording(
                "sos",
                "de",
                "{urgent}{name} braucht Hilfe",
                "{urgent}{name} braucht Hilfe. {time}\n{place}\nWo jetzt, und ich weiß davon: {answer}\n{centre}"
            ),
            Wording(
                "sos-drill",
                "en",
                "Practice: {name} tries the alert",
                "Practice only, nobody needs help: {name} tries the alert. {time}\n{place}\nI got it: {answer}\n{centre}"
            ),
            Wording(
                "sos-drill",
                "de",
                "Übung: {name} probiert den Alarm",
                "Nur eine Übung, niemand braucht Hilfe: {name} probiert den Alarm. {time}\n{place}\nIch habe es bekommen: {answer}\n{centre}"
            ),
            Wording(
                "sos-safe",
                "en",
                "{name} is safe",
                "{name} is safe. {time}\n{centre}"
            ),
            Wording(
                "sos-safe",
                "de",
                "{name} ist in Sicherheit",
                "{name} ist in Sicherheit. {time}\n{centre}"
            ),
            Wording(
                "sos-false-alarm",
                "en",
                "False alarm of {name}",
                "It was a false alarm: {name} needs no help. {time}\n{centre}"
            ),
            Wording(
                "sos-false-alarm",
                "de",
                "Fehlalarm von {name}",
                "Es war ein Fehlalarm: {name} braucht keine Hilfe. {time}\n{centre}"
            ),
            Wording(
                "sos-drill-over",
                "en",
                "The practice of {name} is over",
                "The practice of {name} is over; {name} is well. {time}\n{centre}"
            ),
            Wording(
                "sos-drill-over",
                "de",
                "Die Übung von {name} ist zu Ende",
                "Die Übung von {name} ist zu Ende; {name} geht es gut. {time}\n{centre}"
            ),
        ] + pushes + [
            Wording("sos-desk", "en", nil, "ALERT BUTTON: {name} needs help. {time}\n{place}"),
            Wording("sos-desk", "de", nil, "ALARMKNOPF: {name} braucht Hilfe. {time}\n{place}"),
            Wording("sos-desk-safe", "en", nil, "ALERT BUTTON: {name} is safe."),
            Wording("sos-desk-safe", "de", nil, "ALARMKNOPF: {name} ist in Sicherheit."),
            Wording("sos-desk-false-alarm", "en", nil, "ALERT BUTTON: it was a false alarm."),
            Wording("sos-desk-false-alarm", "de", nil, "ALARMKNOPF: Es war ein Fehlalarm."),
            Wording(
                "sos-introduction",
                "en",
                "{name} chose you as a contact",
                "{name} chose you as a contact for an emergency. If {name} raises an alert, you get a message with the place. Yes, that is fine: {answer}\nSTOP ends these messages.\n{centre}"
            ),
            Wording(
                "sos-introduction",
                "de",
                "{name} hat Sie als Kontakt gewählt",
                "{name} hat Sie als Kontakt für den Notfall gewählt. Löst {name} einen Alarm aus, bekommen Sie eine Nachricht mit dem Ort. Ja, einverstanden: {answer}\nSTOP beendet diese Nachrichten.\n{centre}"
            ),
            Wording(
                "sender-test",
                "en",
                "{centre}: test message",
                "This is a test. If you can read it, messages leave this centre.\n{centre}"
            ),
            Wording(
                "sender-test",
                "de",
                "{centre}: Testnachricht",
                "Das ist ein Test. Wenn Sie ihn lesen, verlassen Nachrichten diese Leitstelle.\n{centre}"
            ),
        ] + instructions

    /// What a citizen's phone shows; the words do not say to others who see it what it is about.
    private static let pushes: [Wording] = [
        Wording("sos-told", "en", "All messages sent", "Open the page to see the answers."),
        Wording(
            "sos-told",
            "de",
            "Alle Nachrichten gesendet",
            "Öffnen Sie die Seite, um die Antworten zu sehen."
        ),
        Wording(
            "sos-untold",
            "en",
            "Not all messages sent",
            "Some were tried several times. They are tried again. Open the page to see which."
        ),
        Wording(
            "sos-untold",
            "de",
            "Nicht alle Nachrichten gesendet",
            "Einige wurden mehrmals versucht. Es geht weiter. Öffnen Sie die Seite, um zu sehen, welche."
        ),
    ]

    /// What operators say most in a chat; nine, by Alt and the number.
    private static let instructions: [Wording] = [
        ("Help is on its way.", "Hilfe ist unterwegs."),
        ("Stay where you are if it is safe.", "Bleiben Sie, wo Sie sind, wenn es dort sicher ist."),
        ("Is anybody hurt?", "Ist jemand verletzt?"), ("Where are you?", "Wo sind Sie?"),
        ("Please show me with the camera.", "Bitte zeigen Sie es mir mit der Kamera."),
        (
            "Leave the building, and do not use the lift.",
            "Verlassen Sie das Gebäude, und nehmen Sie nicht den Aufzug."
        ),
        (
            "Press firmly on the wound with a clean cloth.",
            "Drücken Sie mit einem sauberen Tuch fest auf die Wunde."
        ),
        (
            "Push hard and fast on the middle of the chest; I count with you.",
            "Drücken Sie fest und schnell auf die Mitte der Brust; ich zähle mit."
        ),
        (
            "Lay the person on their side, and watch the breathing.",
            "Legen Sie die Person auf die Seite, und achten Sie auf die Atmung."
        ),
    ].enumerated().flatMap { number, words in
        [
            Wording("instruction-\(number + 1)", "en", nil, words.0),
            Wording("instruction-\(number + 1)", "de", nil, words.1),
        ]
    }

    init(_ name: String, _ language: String, _ subject: String?, _ text: String) {
        (self.name, self.language, self.subject, self.text) = (name, language, subject, text)
    }

    /// The variables of a purpose; a name of somebody's own is an alert's.
    static func variables(of name: String) -> [String] {
        if name.hasPrefix("instruction-") { return [] }
        return switch name {
        case "code": ["centre", "code", "address"]
        case "link": ["centre", "link"]
        case "sender-test": ["centre"]
        case "sos", "sos-drill": ["centre", "name", "place", "time", "urgent", "answer"]
        case "sos-safe", "sos-false-alarm", "sos-drill-over": ["centre", "name", "time"]
        case "sos-told", "sos-untold": ["centre"]
        case "sos-desk": ["centre", "name", "place", "time"]
        case "sos-desk-safe", "sos-desk-false-alarm": ["centre", "name"]
        case "sos-introduction": ["centre", "name", "answer"]
        case "report", "report-nearby", "report-unanswered":
            ["centre", "words", "urgent", "agency", "link"]
        default: ["centre", "words", "urgent", "answer"]
        }
    }

    /// The variables that stand in a text and are none of its purpose, in the order of the text.
    static func unknown(in text: String, of name: String) -> [String] {
        let known = variables(of: name)
        return text.matches(of: /\{([A-Za-z]+)\}/).map { String($0.1) }
            .filter { !known.contains($0) }
    }

    /// Puts values in the places of variables; a value is never looked through for more.
    ///
    /// - Throws: The first variable that has no value.
    func message(_ values: [String: String]) throws(MissingValue) -> AlertMessage {
        let text = try Self.filled(text, values)
        let first = String(text.prefix { !$0.isNewline }.prefix(Self.subjectCharacters))
        let line = if let subject { try Self.filled(subject, values) } else { first }
        return AlertMessage(
            subject: String(line.prefix { !$0.isNewline }.prefix(Self.subjectCharacters)),
            text: text
        )
    }

    private static func filled(
        _ text: String,
        _ values: [String: String]
    ) throws(MissingValue) -> String {
        var (filled, rest) = ("", text[...])
        while let match = rest.firstMatch(of: /\{([A-Za-z]+)\}/) {
            guard let value = values[String(match.1)] else {
                throw MissingValue(name: String(match.1))
            }
            filled += rest[..<match.range.lowerBound] + value
            rest = rest[match.range.upperBound...]
        }
        return filled + rest
    }

    /// A variable that stands in a text, and was given no value.
    struct MissingValue: Error, Hashable {
        let name: String
    }

    /// Where the link that answers a message comes in; it names the alert, and is put in when it goes out.
    static let answerMark = "{answer}"

    /// A longer subject line is cut: mail programs show less.
    private static let subjectCharacters = 120
}

extension Ledger {
    /// What the centre calls itself in messages.
    var centreName: String { configuration.site.name ?? "Emergency centre" }

    /// The wording of a purpose in a language, or in English; where there is none an alert's, which says the name.
    func wording(_ name: String, in language: String) throws -> Wording {
        for language in [language, "en"] {
            let written = try handler.current(Template.self, Template.Key(name, language))
            if let written = written.definition {
                return Wording(name, language, written.subject, written.text)
            }
            let builtIn = Wording.builtIn.first { $0.name == name && $0.language == language }
            if let builtIn { return builtIn }
        }
        return name == "alert" ? Wording.builtIn[0] : try wording("alert", in: language)
    }

    /// What an alert says.
    ///
    /// - Parameters:
    ///   - name: Of the wording.
    ///   - language: Two letters.
    ///   - words: In words of somebody's own; where they are absent, and the wording has room for some, its name.
    ///   - values: Of further variables.
    ///   - severity: A critical alert says so before everything.
    /// - Returns: What its SMS and its e-mail say.
    /// - Throws: ``Problem`` 422 where a variable has no value.
    func message(
        _ name: String,
        in language: String = "en",
        words: String? = nil,
        values: [String: String] = [:],
        _ severity: AlertQueued.Severity
    ) throws -> AlertMessage {
        var wording = try wording(name, in: language)
        // Words of one's own are not lost in a wording that has no room for them.
        if words != nil, !wording.text.contains("{words}") {
            wording = try self.wording("alert", in: language)
        }
        let named = name.replacing("-", with: " ").replacing("_", with: " ")
        var all = values.filter { Wording.variables(of: wording.name).contains($0.key) }
        all["centre"] = centreName
        all["words"] = words ?? named
        all["answer"] = Wording.answerMark
        all["urgent"] = severity != .critical ? "" : language == "de" ? "DRINGEND: " : "URGENT: "
        do {
            return try wording.message(all)
        } catch {
            throw Problem(
                .malformedRequest,
                detail: "the wording \(name) says {\(error.name)}; give it in values"
            )
        }
    }
}
