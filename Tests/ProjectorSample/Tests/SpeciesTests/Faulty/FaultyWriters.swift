// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import ProjectionsTesting

/// Leaves out the last event of a page that holds more than one.
struct SkippingWriter: AlmostRightWriter {
    let right: ProjectionWriter

    init(_ right: ProjectionWriter) { self.right = right }

    func apply(_ page: EventPage) throws {
        try right.apply(page.with(page.events.count > 1 ? page.events.dropLast() : page.events))
    }
}

/// Applies the first event of each page twice.
struct DoublingWriter: AlmostRightWriter {
    let right: ProjectionWriter

    init(_ right: ProjectionWriter) { self.right = right }

    func apply(_ page: EventPage) throws {
        try right.apply(page.with(page.events.prefix(1) + page.events))
    }
}

/// Counts from one where it should count from zero: the first event of every page but the first is lost.
struct PageBoundWriter: AlmostRightWriter {
    let right: ProjectionWriter

    init(_ right: ProjectionWriter) { self.right = right }

    func apply(_ page: EventPage) throws {
        try right.apply(
            page.with(page.first == LogPosition(0) ? page.events : Array(page.events.dropFirst()))
        )
    }
}

/// Takes whatever comes for the next page, also what the rows stand for already.
struct ForgetfulWriter: AlmostRightWriter {
    let right: ProjectionWriter

    init(_ right: ProjectionWriter) { self.right = right }

    func apply(_ page: EventPage) throws {
        let start = right.next()
        let events = page.first < start ? page.events.map { $0.moved(to: start) } : page.events
        try right.apply(EventPage(first: start, count: page.count, events: events, leaf: page.leaf))
    }
}

/// Commits the progress of all but the last entry first, and the rows of all of them after it.
struct HastyWriter: AlmostRightWriter {
    let right: ProjectionWriter

    init(_ right: ProjectionWriter) { self.right = right }

    func apply(_ page: EventPage) throws {
        guard page.count > 1, page.first >= right.next() else { return try right.apply(page) }
        let last = LogPosition(page.next.rawValue - 1)
        try right.apply(
            EventPage(first: page.first, count: page.count - 1, events: [], leaf: page.leaf)
        )
        let events = page.events.map { $0.moved(to: last) }
        try right.apply(EventPage(first: last, count: 1, events: events, leaf: page.leaf))
    }
}
