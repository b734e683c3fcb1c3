// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Fills a page with what its site is: the number to telephone stands in it before any program runs, offline too; and with
/// the names of the modules that it will need.
///
/// A page has `<a href="tel:112" data-emergency>112</a>`, so that the file by itself is true, and
/// `<a href="sms:112" data-emergency-sms hidden>…</a>`, which is shown where the site takes text messages;
/// `<p data-demo hidden>` is shown in a demo.
struct SitePage {
    private let site: Site
    /// Goes into the head; `core/site.js` reads it.
    private let element: String
    private let modules: ModuleGraph

    init(_ site: Site, modules: ModuleGraph = ModuleGraph([:])) throws {
        self.site = site
        self.modules = modules
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(site), as: UTF8.self)
        element = "<meta name=\"daybook-site\" content='\(Self.escaped(text))'>\n"
    }

    /// A page with what its site is.
    ///
    /// - Parameter html: The page as its file has it; what is no UTF-8 is left as it is.
    /// - Returns: The page as it is served.
    func filled(_ html: Data) -> Data {
        guard var text = String(data: html, encoding: .utf8) else { return html }
        text.replace(#/<a\s[^>]*?\sdata-emergency[\s>=][\s\S]*?<\/a>/#) {
            $0.output.replacing("112", with: site.emergencyNumber)
        }
        if let number = site.emergencySMS {
            text.replace(#/<a\s[^>]*?\sdata-emergency-sms[\s>=][\s\S]*?<\/a>/#) {
                $0.output.replacing("112", with: number).replacing(" hidden", with: "")
            }
        }
        if site.isDemo { text.replace(" data-demo hidden", with: " data-demo") }
        if let head = text.firstRange(of: "</head>") {
            let early = modules.modules(of: text).dropFirst().map {
                "<link rel=\"modulepreload\" href=\"/web/\($0)\">\n"
            }
            text.insert(contentsOf: element + early.joined(), at: head.lowerBound)
        }
        return Data(text.utf8)
    }

    /// For an attribute between single quotes.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("'", with: "&#39;")
            .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
