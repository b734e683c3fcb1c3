// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// What one visitor asks for, and in which words it is answered.
struct PublicVisit: Sendable {
    let words: PublicWords
    /// Whether the address itself names the language; else the browser's wish decided.
    let isLanguageChosen: Bool
    let site: Site
    let centreName: String
    /// The scheme and host of links that stand in the head of pages.
    let publicAddress: String
    let now: Timestamp

    /// An address of the public pages, in the language that the visitor chose.
    func link(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> String {
        var items = query.map { "\($0.key)=\($0.value)" }
        if isLanguageChosen { items.append("lang=\(words.language.rawValue)") }
        return path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// A text that may stand in the query of an address.
    static func query(_ place: Fix) -> String { "\(place.latitude),\(place.longitude)" }
}

/// A public page: what is said of it in its head, and its body.
struct PublicPage {
    /// Its address without the language.
    let path: String
    let title: String
    /// What search engines and those who share a link show of it.
    let about: String
    let body: HTML
    /// The path of a picture for those who share a link.
    var picture: String?
    /// Whether it has a map, which the script replaces by one that can be moved.
    var hasMap = false
    /// Whether search engines are to take it in.
    var isFound = true

    /// The addresses in the navigation, each with the key of its name.
    static let parts = [
        ("/rescues", "nav.rescues"), ("/rescues/gallery", "nav.gallery"), ("/guide", "nav.guide"),
        ("/agencies", "nav.agencies"), ("/donate", "nav.donate"),
    ]

    /// The whole document.
    func document(_ visit: PublicVisit) -> HTML {
        let words = visit.words
        return """
            <!doctype html>
            <html lang="\(words.language.rawValue)" data-languages="\(words.language.rawValue)">
            <head>
            \(head(visit))
            </head>
            <body>
            <a class="skip" href="#main">\(words("skip"))</a>
            <header class="top">
            <p class="brand"><a href="\(visit.link("/rescues"))"><img src="/web/ui/icon.svg" alt="" \
            width="28" height="28"> \(visit.centreName)</a></p>
            <p class="danger"><span>\(words("danger"))</span> \
            <a href="tel:\(visit.site.emergencyNumber)">\(visit.site.emergencyNumber)</a></p>
            </header>
            <nav class="parts" aria-label="\(words("nav"))">
            <a class="button primary" href="/report">\(words("nav.report"))</a>
            <ul>\(Self.parts.map { part($0.0, words($0.1), visit) })</ul>
            </nav>
            <main id="main" tabindex="-1">
            \(body)
            </main>
            <footer>
            <p>\(words("foot.private"))</p>
            <p>\(PublicWords.Language.allCases.map { other($0, visit) })</p>
            </footer>
            </body>
            </html>

            """
    }

    private func head(_ visit: PublicVisit) -> HTML {
        let words = visit.words
        let full = "\(title) | \(visit.centreName)"
        let address = visit.publicAddress + path
        let own = visit.isLanguageChosen ? "\(address)?lang=\(words.language.rawValue)" : address
        let others: [HTML] = PublicWords.Language.allCases.map {
            """
            <link rel="alternate" hreflang="\($0.rawValue)" href="\(address)?lang=\($0.rawValue)">

            """
        }
        let image: HTML? = picture.map {
            "<meta property=\"og:image\" content=\"\(visit.publicAddress + $0)\">\n"
        }
        let robots: HTML? = isFound ? nil : "<meta name=\"robots\" content=\"noindex\">\n"
        let script: HTML? =
            hasMap
            ? "<script type=\"module\" src=\"/web/pages/public/page.js\"></script>\n" : nil
        return """
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <title>\(full)</title>
            <meta name="description" content="\(about)">
            <link rel="canonical" href="\(own)">
            \(others)<link rel="alternate" hreflang="x-default" href="\(address)">
            <meta property="og:type" content="website">
            <meta property="og:site_name" content="\(visit.centreName)">
            <meta property="og:title" content="\(title)">
            <meta property="og:description" content="\(about)">
            <meta property="og:url" content="\(own)">
            <meta property="og:locale" content="\(words.language.locale)">
            \(image)\(robots)<link rel="icon" href="/web/ui/icon.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/web/ui/base.css">
            <link rel="stylesheet" href="/web/pages/public/page.css">
            \(script)
            """
    }

    private func part(_ path: String, _ name: String, _ visit: PublicVisit) -> HTML {
        let current: HTML? = path == self.path ? " aria-current=\"page\"" : nil
        return "<li><a href=\"\(visit.link(path))\"\(current)>\(name)</a></li>"
    }

    private func other(_ language: PublicWords.Language, _ visit: PublicVisit) -> HTML {
        let name = visit.words("language.\(language.rawValue)")
        guard language != visit.words.language else { return "<strong>\(name)</strong> " }
        let code = language.rawValue
        return "<a href=\"\(path)?lang=\(code)\" hreflang=\"\(code)\" lang=\"\(code)\">\(name)</a> "
    }
}
