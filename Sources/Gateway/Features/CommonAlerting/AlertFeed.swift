// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An Atom feed (RFC 4287) with one entry for each alert.
struct AlertFeed: Sendable, Hashable {
    /// An absolute IRI that never changes, such as `urn:uuid:…`.
    var id: String
    var title: String
    /// The feed's own address.
    var selfLink: URL
    /// The last time at which an entry came or changed.
    var updated: Date
    /// In any order, no two with the same `id`.
    var entries: [Entry] = []

    struct Entry: Sendable, Hashable {
        /// An absolute IRI that never changes and belongs to this alert alone.
        var id: String
        var title: String
        var updated: Date
        var published: Date?
        var summary: String?
        /// The name of the office that sent the alert.
        var author: String
        /// The address of the alert's document.
        var link: URL
    }

    static let namespace = "http://www.w3.org/2005/Atom"
    static let mediaType = "application/atom+xml"

    /// The document in UTF-8, always well-formed, entries newest first, then by `id`; the same
    /// bytes for the same feed.
    ///
    /// Times are in UTC to the second; a blank summary is left out.
    var xml: Data {
        var writer = XMLWriter()
        writer.element("feed", ["xmlns": Self.namespace]) {
            $0.text("id", id)
            $0.text("title", title)
            $0.time("updated", updated)
            $0.link("self", Self.mediaType, selfLink)
            for entry in entries.sorted(by: { ($1.updated, $0.id) < ($0.updated, $1.id) }) {
                entry.write(to: &$0)
            }
        }
        return writer.data
    }
}

extension AlertFeed.Entry {
    fileprivate func write(to writer: inout XMLWriter) {
        writer.element("entry") {
            $0.text("id", id)
            $0.text("title", title)
            $0.time("updated", updated)
            if let published { $0.time("published", published) }
            $0.element("author") { $0.text("name", author) }
            $0.optionalText("summary", summary)
            // An entry without content needs an alternate link (§4.1.2).
            $0.link("alternate", CommonAlert.mediaType, link)
        }
    }
}

extension XMLWriter {
    fileprivate mutating func time(_ name: String, _ date: Date) {
        text(name, Self.time(date, zone: "Z"))
    }

    fileprivate mutating func link(_ relation: String, _ type: String, _ address: URL) {
        element("link", ["rel": relation, "type": type, "href": address.absoluteString])
    }
}
