// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// The pages of agencies: their directory, what to do on the beach, and how to give.
extension PublicPage {
    /// The directory of agencies.
    static func agencies(_ shown: PublicBoard.Shown, _ visit: PublicVisit) -> PublicPage {
        let words = visit.words
        let none: HTML? =
            shown.agencies.isEmpty ? "<p class=\"card empty\">\(words("agencies.none"))</p>" : nil
        return PublicPage(
            path: "/agencies",
            title: words("agencies.title"),
            about: words("agencies.about"),
            body: """
                <h1>\(words("agencies.title"))</h1>
                <p class="lead">\(words("agencies.lead"))</p>
                \(none)
                <ul class="agencies">\(shown.agencies.map { entry($0, visit) })</ul>
                """
        )
    }

    private static func entry(_ agency: PublicAgency, _ visit: PublicVisit) -> HTML {
        let (card, words) = (agency.card, visit.words)
        let animals =
            agency.types.isEmpty
            ? words("agencies.all")
            : agency.types.map { words.term("species", $0) }.joined(separator: ", ")
        let address: HTML? = card.address.map {
            "<dt>\(words("agencies.address"))</dt><dd>\($0)</dd>"
        }
        let isPlaced = agency.area != nil || agency.base != nil
        let label = words("map.area", ["agency": card.name])
        let map: HTML? =
            isPlaced
            ? ReportMap(of: [agency], height: 220, words: words).svg(label: label) : nil
        return """
            <li class="card padded agency" id="\("agency-\(card.id)")">
            <div class="stack">
            <h2>\(card.name)</h2>
            <dl class="facts"><dt>\(words("agencies.animals"))</dt><dd>\(animals)</dd>\(address)</dl>
            <div class="ways">\(ways(to: card, words))</div>
            </div>
            \(map)
            </li>

            """
    }

    private static func ways(to card: AgencyCard, _ words: PublicWords) -> [HTML] {
        [
            card.phone.map { call($0, words) },
            card.email.map { email -> HTML in
                let name = words("agencies.mail", ["email": email])
                return "<a class=\"button\" href=\"mailto:\(email)\">\(name)</a>"
            },
            card.website.map {
                "<a class=\"button\" href=\"\($0)\" rel=\"noopener\">\(words("agencies.site"))</a>"
            },
            card.donationLink.map {
                "<a class=\"button\" href=\"\($0)\" rel=\"noopener\">\(words("agencies.donate"))</a>"
            },
        ].compactMap(\.self)
    }

    private static func call(_ phone: String, _ words: PublicWords) -> HTML {
        let number = phone.filter { $0.isASCII && $0.isNumber || $0 == "+" }
        let name = words("agencies.call", ["phone": phone])
        return "<a class=\"button\" href=\"tel:\(number)\">\(name)</a>"
    }

    /// What somebody does who finds an animal on the beach.
    static func guide(_ shown: PublicBoard.Shown, _ visit: PublicVisit) -> PublicPage {
        let words = visit.words
        let steps: [HTML] = ["away", "hands", "water", "back", "dogs", "look", "tell", "wait"].map {
            "<li><h2>\(words("guide.\($0)"))</h2><p>\(words("guide.\($0).why"))</p></li>\n"
        }
        let numbers: [HTML] = shown.agencies.compactMap { agency in
            agency.card.phone.map { phone in
                "<li><p>\(agency.card.name)</p>\(call(phone, words))</li>\n"
            }
        }
        let telephone: HTML? =
            numbers.isEmpty
            ? nil
            : """
            <section class="card stack padded" aria-labelledby="numbers">
            <h2 id="numbers">\(words("guide.numbers"))</h2>
            <ul class="numbers">\(numbers)</ul>
            </section>
            """
        return PublicPage(
            path: "/guide",
            title: words("guide.title"),
            about: words("guide.about"),
            body: """
                <h1>\(words("guide.title"))</h1>
                <p class="lead">\(words("guide.lead"))</p>
                <ol class="card padded guide">\(steps)</ol>
                <a class="button primary big" href="/report">\(words("nav.report"))</a>
                \(telephone)
                """
        )
    }

    /// The agencies that take donations.
    static func donate(_ shown: PublicBoard.Shown, _ visit: PublicVisit) -> PublicPage {
        let words = visit.words
        let items: [HTML] = shown.agencies.compactMap { agency in
            agency.card.donationLink.map { link in
                let about = visit.link("/agencies") + "#agency-\(agency.card.id)"
                return """
                    <li class="card stack padded"><h2><a href="\(about)">\(agency.card.name)</a></h2>\
                    <a class="button primary" href="\(link)" rel="noopener">\
                    \(words("donate.to", ["agency": agency.card.name]))</a></li>

                    """
            }
        }
        let none: HTML? =
            items.isEmpty ? "<p class=\"card empty\">\(words("donate.none"))</p>" : nil
        return PublicPage(
            path: "/donate",
            title: words("donate.title"),
            about: words("donate.about"),
            body: """
                <h1>\(words("donate.title"))</h1>
                <p class="lead">\(words("donate.lead"))</p>
                \(none)<ul class="stack">\(items)</ul>
                """
        )
    }
}
