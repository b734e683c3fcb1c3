// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// What alerts say where nobody wrote words of their own.
enum AlertWording {
    /// The words of an alert about something.
    ///
    /// - Parameters:
    ///   - template: The name of a wording: `ambulance-needed`; its words are said where it is all there is.
    ///   - text: What whoever alerts wrote; `nil` for nothing.
    ///   - severity: Stands before everything where it is critical.
    ///   - centre: What the centre is called.
    /// - Returns: The subject of an e-mail, and what both say.
    static func message(
        _ template: String,
        text: String?,
        _ severity: AlertQueued.Severity,
        from centre: String
    ) -> AlertMessage {
        let words = text ?? template.replacing("-", with: " ").replacing("_", with: " ")
        let mark = severity == .critical ? "URGENT: " : ""
        let subject = mark + "\(centre): " + String(words.prefix { !$0.isNewline }.prefix(70))
        return AlertMessage(subject: subject, text: "\(mark)\(words)\n\(centre)")
    }

    /// The words by which an administrator sees that a sender works.
    static func test(of channel: AlertChannel, from centre: String) -> AlertMessage {
        AlertMessage(
            subject: "\(centre): test message",
            text: "This is a test of Daybook's \(channel == .sms ? "SMS" : "e-mail"). "
                + "If you can read it, messages to people leave this centre.\n\(centre)"
        )
    }
}
