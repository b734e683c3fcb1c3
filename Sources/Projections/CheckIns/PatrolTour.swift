// SPDX-License-Identifier: Apache-2.0
public import Events

/// A tour as it is walked.
public struct PatrolTour: Hashable, Sendable {
    public let id: TourID
    public let site: String
    public let name: String
    public let isOrdered: Bool
    public let graceSeconds: Int
    /// Whether it is walked no more.
    public let isRetired: Bool
    /// Where it was last defined.
    public let position: LogPosition
    /// `nil` where guards set out as they see fit.
    public let schedule: TourDefined.Schedule?
    public internal(set) var points: [TourDefined.Point] = []

    static let selection = """
        SELECT id, site, name, ordered, grace_s, retired, position, schedule FROM tour
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        site = try row.text()
        name = try row.text()
        isOrdered = try row.flag()
        graceSeconds = try row.integer()
        isRetired = try row.flag()
        position = try row.position()
        schedule = try row.optionalText().flatMap(TourDefined.Schedule.init(text:))
    }
}

extension TourDefined.Schedule {
    /// The numbers of both lists, `1320,1380;1,2`, as a column has them.
    var text: String {
        [minutesOfDay, weekdays].map { $0.map(String.init).joined(separator: ",") }
            .joined(separator: ";")
    }

    init?(text: String) {
        let lists = text.split(separator: ";").map { list in
            list.split(separator: ",").compactMap { Int($0) }
        }
        guard lists.count == 2 else { return nil }
        self.init(minutesOfDay: lists[0], weekdays: lists[1])
    }
}
