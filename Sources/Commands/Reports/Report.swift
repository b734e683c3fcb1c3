// SPDX-License-Identifier: Apache-2.0
public import Events

/// A report of a stranded or hurt animal, and how far it has come.
public struct Report: Fold {
    public let id: ReportID
    public private(set) var reporter: PersonID?
    /// `nil` before it was submitted.
    public private(set) var status: ReportStatus?

    public init(_ id: ReportID) {
        self.id = id
    }

    public static func source(of id: ReportID) -> FoldSource { .subject(.report(id)) }

    /// Takes in an event of the report's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .report(let fact) = event.fact else { return }
        switch fact {
        case .submitted(let submitted): (reporter, status) = (submitted.reporter, .submitted)
        case .statusChanged(let changed): status = changed.to
        }
    }
}

extension ReportStatus {
    /// Where a report may go from here (ruling 25); nothing else is allowed.
    public var successors: [ReportStatus] {
        switch self {
        case .submitted: [.acknowledged, .stoodDown]
        case .acknowledged: [.headingOut, .stoodDown]
        case .headingOut: [.onScene, .stoodDown]
        case .onScene: [.rescued, .released, .deceased, .notFound]
        case .rescued, .released, .deceased, .notFound, .stoodDown: []
        }
    }
}
