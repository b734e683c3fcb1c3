// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An alert of the Common Alerting Protocol 1.2 (OASIS, July 2010), as values.
///
/// Names are those of the standard, §3.2. Any value can be built; ``fault()`` tells whether it may
/// be sent.
struct CommonAlert: Sendable, Hashable {
    /// Unique for the sender and never used again.
    var identifier: String
    /// Unique in the world, such as a domain name.
    var sender: String
    var sent: Date
    var status: Status
    var msgType: MessageType
    var scope: Scope
    /// The rule of distribution, for scope Restricted only.
    var restriction: String?
    /// The recipients; required for scope Private.
    var addresses: [String] = []
    var codes: [String] = []
    var note: String?
    /// The earlier messages concerned; required for all types except Alert.
    var references: [Reference] = []
    var incidents: [String] = []
    /// One for each language or phase.
    var infos: [Info] = []

    enum Status: String, CaseIterable { case actual, exercise, system, test, draft }
    enum MessageType: String, CaseIterable { case alert, update, cancel, ack, error }
    enum Scope: String, CaseIterable { case `public`, restricted, `private` }
    enum Category: String, CaseIterable {
        case geo, met, safety, security, rescue, fire, health, env, transport, infra, other
        case cbrne = "CBRNE"
    }
    enum ResponseType: String, CaseIterable {
        case shelter, evacuate, prepare, execute, avoid, monitor, assess, allClear
        case noAction = "none"
    }
    enum Urgency: String, CaseIterable { case immediate, expected, future, past, unknown }
    enum Severity: String, CaseIterable { case extreme, severe, moderate, minor, unknown }
    enum Certainty: String, CaseIterable { case observed, likely, possible, unlikely, unknown }

    /// An earlier message, as it named itself.
    struct Reference: Sendable, Hashable {
        var sender: String
        var identifier: String
        var sent: Date
    }

    /// What happens, in one language.
    struct Info: Sendable, Hashable {
        /// A language tag (RFC 5646); receivers read `nil` as `en-US`.
        var language: String?
        /// At least one.
        var categories: [Category]
        var event: String
        var responseTypes: [ResponseType] = []
        var urgency: Urgency
        var severity: Severity
        var certainty: Certainty
        var audience: String?
        var effective: Date?
        var onset: Date?
        var expires: Date?
        var senderName: String?
        var headline: String?
        var description: String?
        var instruction: String?
        /// An absolute URI.
        var web: URL?
        var contact: String?
        var parameters: [NamedValue] = []
        var areas: [Area] = []
    }

    /// A value under a name of the sender's choice.
    struct NamedValue: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// A place in words, with the shapes and codes that together cover it.
    struct Area: Sendable, Hashable {
        var description: String
        /// Closed rings of at least four points that do not touch or cross themselves.
        var polygons: [[Point]] = []
        var circles: [Circle] = []
        var geocodes: [NamedValue] = []
        /// Feet above mean sea level; the lower limit where there is a ceiling.
        var altitude: Double?
        /// Feet above mean sea level.
        var ceiling: Double?
    }

    /// A place on Earth (WGS 84), rounded to a millionth of a degree (0.11 m).
    struct Point: Sendable, Hashable {
        let latitude: Double
        let longitude: Double

        init(latitude: Double, longitude: Double) {
            self.latitude = rounded(latitude)
            self.longitude = rounded(longitude)
        }
    }

    struct Circle: Sendable, Hashable {
        var centre: Point
        /// Zero for the centre alone.
        var radiusKilometres: Double
    }
}

// MARK: - XML

extension CommonAlert {
    static let namespace = "urn:oasis:names:tc:emergency:cap:1.2"
    static let mediaType = "application/cap+xml"

    /// The document in UTF-8: always well-formed, valid against the OASIS schema if ``fault()`` is
    /// `nil`; the same bytes for the same alert.
    ///
    /// Blank optional texts are left out.
    var xml: Data {
        var writer = XMLWriter()
        writer.element("alert", ["xmlns": Self.namespace]) {
            $0.text("identifier", identifier)
            $0.text("sender", sender)
            $0.time("sent", sent)
            $0.word("status", status)
            $0.word("msgType", msgType)
            $0.word("scope", scope)
            $0.optionalText("restriction", restriction)
            $0.optionalText("addresses", Self.list(addresses))
            for code in codes { $0.text("code", code) }
            $0.optionalText("note", note)
            $0.optionalText("references", references.map(\.text).joined(separator: " "))
            $0.optionalText("incidents", Self.list(incidents))
            for info in infos { info.write(to: &$0) }
        }
        return writer.data
    }

    /// Items with whitespace stand in double quotes (§3.2.1).
    private static func list(_ items: [String]) -> String {
        items.map { $0.contains(where: \.isWhitespace) ? "\"\($0)\"" : $0 }.joined(separator: " ")
    }
}

extension CommonAlert.Reference {
    fileprivate var text: String { "\(sender),\(identifier),\(utc(sent))" }
}

extension CommonAlert.Info {
    fileprivate func write(to writer: inout XMLWriter) {
        writer.element("info") {
            $0.optionalText("language", language)
            for category in categories { $0.word("category", category) }
            $0.text("event", event)
            for responseType in responseTypes { $0.word("responseType", responseType) }
            $0.word("urgency", urgency)
            $0.word("severity", severity)
            $0.word("certainty", certainty)
            $0.optionalText("audience", audience)
            $0.time("effective", effective)
            $0.time("onset", onset)
            $0.time("expires", expires)
            $0.optionalText("senderName", senderName)
            $0.optionalText("headline", headline)
            $0.optionalText("description", description)
            $0.optionalText("instruction", instruction)
            $0.optionalText("web", web?.absoluteString)
            $0.optionalText("contact", contact)
            $0.named("parameter", parameters)
            for area in areas { area.write(to: &$0) }
        }
    }
}

extension CommonAlert.Area {
    fileprivate func write(to writer: inout XMLWriter) {
        writer.element("area") {
            $0.text("areaDesc", description)
            for ring in polygons { $0.text("polygon", ring.map(\.text).joined(separator: " ")) }
            for circle in circles {
                $0.text("circle", "\(circle.centre.text) \(decimal(circle.radiusKilometres))")
            }
            $0.named("geocode", geocodes)
            $0.optionalText("altitude", altitude.map(decimal))
            $0.optionalText("ceiling", ceiling.map(decimal))
        }
    }
}

extension CommonAlert.Point {
    fileprivate var text: String { "\(decimal(latitude)),\(decimal(longitude))" }
}

extension XMLWriter {
    /// Writes a word of the standard: the case's name with a capital.
    fileprivate mutating func word(_ name: String, _ value: some RawRepresentable<String>) {
        text(name, value.rawValue.prefix(1).uppercased() + value.rawValue.dropFirst())
    }

    fileprivate mutating func time(_ name: String, _ date: Date?) {
        optionalText(name, date.map(utc))
    }

    fileprivate mutating func named(_ name: String, _ values: [CommonAlert.NamedValue]) {
        for value in values {
            element(name) {
                $0.text("valueName", value.name)
                $0.text("value", value.value)
            }
        }
    }
}

/// UTC is `-00:00`; `Z` is not allowed (§3.3.2).
private func utc(_ date: Date) -> String { XMLWriter.time(date, zone: "-00:00") }

/// To six decimal places; never −0.
private func rounded(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 + 0 }

/// A number as `xs:decimal`: no exponent, at most six decimal places.
private func decimal(_ number: Double) -> String {
    var text = String(format: "%.6f", rounded(number))[...]
    while text.hasSuffix("0") { text.removeLast() }
    return String(text.hasSuffix(".") ? text.dropLast() : text)
}
