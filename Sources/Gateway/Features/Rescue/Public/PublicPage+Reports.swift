// SPDX-License-Identifier: Apache-2.0
import Events
import Projections

/// The pages on which reports are shown.
extension PublicPage {
    /// Which reports a visitor asks for.
    struct Wish {
        /// Where the visitor is, to a hundredth of a degree; `nil` for reports everywhere.
        var near: Fix?
        /// `nil` for active and past ones.
        var state: State?

        enum State: String, CaseIterable { case active, past }
    }

    /// Map and list of the reports near a visitor, or of all.
    static func rescues(
        _ shown: PublicBoard.Shown,
        _ wish: Wish,
        _ visit: PublicVisit
    ) -> PublicPage {
        let words = visit.words
        let active = wish.state == .past ? [] : rows(shown.active, near: wish.near)
        let past = wish.state == .active ? [] : rows(shown.past, near: wish.near)
        let map = ReportMap(
            of: shown.agencies,
            // Drawn one over the other: those under way last.
            (past + active).map(\.report),
            around: wish.near,
            words: words
        )
        // Without an agency no report was ever taken: there is nothing to be shown on a map.
        let side: HTML? =
            shown.agencies.isEmpty
            ? nil
            : """
            <div class="stack side">
            \(regions(shown.agencies, wish, visit))
            <figure class="card map-card">
            \(map.svg(label: words("map.label")) { visit.link("/rescues/\($0.id)") })
            <figcaption class="small soft"><span class="key active">\(words("map.active"))</span> \
            <span class="key past">\(words("map.past"))</span> \
            <span>\(words("map.rough"))</span></figcaption>
            </figure>
            </div>
            """
        return PublicPage(
            path: "/rescues",
            title: words("rescues.title"),
            about: words("rescues.about"),
            body: """
                <h1>\(words("rescues.title"))</h1>
                <p class="lead">\(words("rescues.lead"))</p>
                <div class="columns">
                \(side)
                <div class="stack">
                \(states(wish, visit))
                \(wish.state == .past ? nil : list("active", active, wish, visit))
                \(wish.state == .active ? nil : list("past", past, wish, visit))
                </div>
                </div>
                """,
            hasMap: true
        )
    }

    /// A report and how far away it is.
    private typealias Row = (report: PublicCopy, metres: Double?)

    private static func rows(_ reports: [PublicCopy], near centre: Fix?) -> [Row] {
        guard let centre else { return reports.prefix(PublicRescue.rowsMax).map { ($0, nil) } }
        return reports.map { ($0, centre.metres(to: $0.place)) }
            .filter { $0.1 <= PublicRescue.nearMetres }
            .sorted { $0.1 < $1.1 }
            .prefix(PublicRescue.rowsMax).map { ($0.0, $0.1) }
    }

    /// Where a visitor says where they are: by a button of the script, or beside which agency.
    private static func regions(
        _ agencies: [PublicAgency],
        _ wish: Wish,
        _ visit: PublicVisit
    ) -> HTML {
        let words = visit.words
        let links: [HTML] = agencies.compactMap { agency in
            agency.centre.map { centre in
                let link = visit.link("/rescues", ["near": PublicVisit.query(centre)])
                let current: HTML? = centre == wish.near ? " aria-current=\"true\"" : nil
                return """
                    <li><a class="button" href="\(link)"\(current)>\
                    \(words("near.agency", ["agency": agency.card.name]))</a></li>
                    """
            }
        }
        let everywhere: HTML? =
            wish.near == nil
            ? nil
            : """
            <li><a class="button" href="\(visit.link("/rescues"))">\(words("near.everywhere"))</a></li>
            """
        return """
            <section class="card stack regions" aria-labelledby="regions">
            <h2 id="regions">\(words("near.title"))</h2>
            <button type="button" id="near" data-refused="\(words("near.refused"))" hidden>\
            \(words("near.me"))</button>
            <p class="small soft" id="near-told" role="status" hidden></p>
            <ul class="choices">\(everywhere)\(links)</ul>
            </section>
            """
    }

    private static func states(_ wish: Wish, _ visit: PublicVisit) -> HTML {
        let states: [Wish.State?] = [nil, .active, .past]
        let links: [HTML] = states.map { state in
            let current: HTML? = state == wish.state ? " aria-current=\"true\"" : nil
            let near = wish.near.map(PublicVisit.query)
            let link =
                switch (near, state) {
                case (nil, nil): visit.link("/rescues")
                case (let near?, nil): visit.link("/rescues", ["near": near])
                case (nil, let state?): visit.link("/rescues", ["state": state.rawValue])
                case (let near?, let state?):
                    visit.link("/rescues", ["near": near, "state": state.rawValue])
                }
            let name = visit.words("state.\(state?.rawValue ?? "all")")
            return "<li><a class=\"button\" href=\"\(link)\"\(current)>\(name)</a></li>"
        }
        return "<ul class=\"choices\">\(links)</ul>"
    }

    private static func list(
        _ name: String,
        _ rows: [Row],
        _ wish: Wish,
        _ visit: PublicVisit
    ) -> HTML {
        let words = visit.words
        let none = words(wish.near == nil ? "list.\(name).none" : "list.\(name).none.near")
        let items: [HTML] = rows.map { item($0, visit) }
        let content: HTML =
            rows.isEmpty
            ? "<p class=\"card empty\">\(none)</p>" : "<ul class=\"reports\">\(items)</ul>"
        return """
            <section class="stack" aria-labelledby="\(name)">
            <h2 id="\(name)">\(words("list.\(name)", ["count": "\(rows.count)"]))</h2>
            \(content)
            </section>
            """
    }

    private static func item(_ row: Row, _ visit: PublicVisit) -> HTML {
        let (report, words) = (row.report, visit.words)
        let facts =
            [
                words.age(of: report.closed ?? report.submitted, at: visit.now),
                row.metres.map(words.distance), report.agencyName,
            ].compactMap(\.self).joined(separator: " · ")
        let picture: HTML? = report.photos.first.map {
            "<img src=\"\(report.path(of: $0, .small))\" alt=\"\" loading=\"lazy\">"
        }
        return """
            <li class="card"><a class="report" href="\(visit.link("/rescues/\(report.id)"))">\
            \(picture)<span class="words"><strong>\(name(of: report, words))</strong>\
            \(chips(report, words))<span class="small">\(facts)</span></span></a></li>

            """
    }

    private static func name(of report: PublicCopy, _ words: PublicWords) -> String {
        let species = words.term("species", report.species)
        return "\(species), \(words("size.\(report.sizeClass.rawValue)"))"
    }

    private static func chips(_ report: PublicCopy, _ words: PublicWords) -> HTML {
        let look =
            report.status.isSuccess ? "good" : report.status.isFinal ? "" : "accent"
        return """
            <span class="row"><span class="chip">\(words("condition.\(report.condition.rawValue)"))</span> \
            <span class="chip \(look)">\(words("status.\(report.status.rawValue)"))</span></span>
            """
    }

    // MARK: One report

    /// What everybody may know of one report.
    static func report(
        _ report: PublicCopy,
        _ agencies: [PublicAgency],
        _ visit: PublicVisit
    ) -> PublicPage {
        let words = visit.words
        let name = name(of: report, words)
        let status = words("status.\(report.status.rawValue).told")
        let agency = agencies.first { $0.card.id == report.agency }
        let place = words(
            "report.place.told",
            [
                "latitude": words.number(abs(report.place.latitude), digits: 2) + "° "
                    + words("map." + (report.place.latitude < 0 ? "south" : "north")),
                "longitude": words.number(abs(report.place.longitude), digits: 2) + "° "
                    + words("map." + (report.place.longitude < 0 ? "west" : "east")),
            ]
        )
        let closed: HTML? = report.closed.map {
            "<dt>\(words("report.closed"))</dt><dd>\(words.age(of: $0, at: visit.now))</dd>"
        }
        let map = ReportMap(of: agencies, [report], around: report.place, words: words)
        return PublicPage(
            path: "/rescues/\(report.id)",
            title: name,
            about: words("report.about", ["animal": name, "status": status]),
            body: """
                <p><a href="\(visit.link("/rescues"))">\(words("report.back"))</a></p>
                <h1>\(name)</h1>
                <p class="lead" id="status">\(status)</p>
                \(pictures(report, words))
                <div class="columns">
                <div class="stack">
                <section class="card stack padded" aria-labelledby="facts">
                <h2 id="facts">\(words("report.facts"))</h2>
                <dl class="facts">
                <dt>\(words("report.species"))</dt><dd>\(words.term("species", report.species))</dd>
                <dt>\(words("report.size"))</dt><dd>\(words("size.\(report.sizeClass.rawValue)"))</dd>
                <dt>\(words("report.condition"))</dt><dd>\(words("condition.\(report.condition.rawValue)"))</dd>
                <dt>\(words("report.reported"))</dt><dd>\(words.age(of: report.submitted, at: visit.now))</dd>
                \(closed)
                <dt>\(words("report.place"))</dt><dd>\(place)</dd>
                </dl>
                </section>
                \(agency.map { help($0, report, visit) })
                <p class="notice">\(words("report.seen")) \
                <a href="\(visit.link("/guide"))">\(words("nav.guide"))</a></p>
                </div>
                <figure class="card map-card">
                \(map.svg(label: words("map.label")) { visit.link("/rescues/\($0.id)") })
                <figcaption class="small soft">\(words("map.rough"))</figcaption>
                </figure>
                </div>
                """,
            picture: report.photos.last.map { report.path(of: $0, .large) },
            hasMap: true
        )
    }

    private static func pictures(_ report: PublicCopy, _ words: PublicWords) -> HTML? {
        guard !report.photos.isEmpty else { return nil }
        let pictures: [HTML] = report.photos.map { photo in
            let caption = words(photo.by == nil ? "photo.before" : "photo.after")
            return figure(photo, of: report, caption, words)
        }
        return "<div class=\"pictures\">\(pictures)</div>"
    }

    private static func figure(
        _ photo: ReportPhoto,
        of report: PublicCopy,
        _ caption: String,
        _ words: PublicWords
    ) -> HTML {
        let species = words.term("species", report.species)
        return """
            <figure><a href="\(report.path(of: photo, .large))">\
            <img src="\(report.path(of: photo, .small))" alt="\(species): \(caption)" loading="lazy"></a>\
            <figcaption class="small soft">\(caption)</figcaption></figure>

            """
    }

    private static func help(
        _ agency: PublicAgency,
        _ report: PublicCopy,
        _ visit: PublicVisit
    ) -> HTML {
        let words = visit.words
        let donate: HTML? = agency.card.donationLink.map { link in
            let name = words("donate.to", ["agency": agency.card.name])
            return "<a class=\"button\" href=\"\(link)\" rel=\"noopener\">\(name)</a>"
        }
        let about = visit.link("/agencies") + "#agency-\(agency.card.id)"
        return """
            <section class="card stack padded" aria-labelledby="agency">
            <h2 id="agency">\(words("report.agency"))</h2>
            <p><a href="\(about)">\(agency.card.name)</a></p>
            \(donate)
            </section>
            """
    }

    /// The page in place of a report that is not public, or never was.
    static func noReport(_ visit: PublicVisit) -> PublicPage {
        let words = visit.words
        return PublicPage(
            path: "/rescues",
            title: words("gone.title"),
            about: words("gone.about"),
            body: """
                <h1>\(words("gone.title"))</h1>
                <p class="lead">\(words("gone.about"))</p>
                <p><a class="button" href="\(visit.link("/rescues"))">\(words("report.back"))</a></p>
                """,
            isFound: false
        )
    }

    // MARK: Rescued animals

    /// Successful rescues: how the animal was found, and how it is.
    static func gallery(_ shown: PublicBoard.Shown, _ visit: PublicVisit) -> PublicPage {
        let words = visit.words
        let items: [HTML] = shown.rescued.prefix(PublicRescue.rowsMax).map { rescue($0, visit) }
        let none: HTML? =
            items.isEmpty ? "<p class=\"card empty\">\(words("gallery.none"))</p>" : nil
        return PublicPage(
            path: "/rescues/gallery",
            title: words("gallery.title"),
            about: words("gallery.about"),
            body: """
                <h1>\(words("gallery.title"))</h1>
                <p class="lead">\(words("gallery.lead"))</p>
                \(none)<ul class="gallery">\(items)</ul>
                """,
            picture: shown.rescued.first.flatMap { report in
                report.photos.last.map { report.path(of: $0, .large) }
            }
        )
    }

    private static func rescue(_ report: PublicCopy, _ visit: PublicVisit) -> HTML {
        let words = visit.words
        let facts = [
            report.agencyName, words.age(of: report.closed ?? report.submitted, at: visit.now),
        ].compactMap(\.self).joined(separator: " · ")
        let before = report.before.map { figure($0, of: report, words("photo.before"), words) }
        let after = report.after.map { figure($0, of: report, words("photo.after"), words) }
        return """
            <li class="card stack padded">
            <h2><a href="\(visit.link("/rescues/\(report.id)"))">\(name(of: report, words))</a></h2>
            <div class="pictures">\(before)\(after)</div>
            <p>\(words("status.\(report.status.rawValue).told"))</p>
            <p class="small soft">\(facts)</p>
            </li>

            """
    }
}
