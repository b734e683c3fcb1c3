// SPDX-License-Identifier: Apache-2.0
public import Events

/// A camera: how it is set up, what it gives, and how far its footage reaches.
public struct Camera: Fold {
    public let id: CameraID
    /// `nil` before it was set up, and so is the next one.
    public private(set) var settings: CameraSettings?
    public private(set) var organisation: OrganisationID?
    public private(set) var standing: CameraStandingChanged?
    public private(set) var standingSince: Timestamp?
    /// The newest minute of its footage; `nil` before the first.
    public private(set) var newest: CameraMinuteArchived?

    public init(_ id: CameraID) {
        self.id = id
    }

    public static func source(of id: CameraID) -> FoldSource { .subject(.camera(id)) }

    /// Takes in an event of the camera's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .camera(let fact) = event.fact else { return }
        switch fact {
        case .set(let set):
            settings = set.settings
            organisation = event.envelope.organisation
        case .standingChanged(let changed):
            (standing, standingSince) = (changed, event.envelope.time)
        case .minuteArchived(let minute): newest = minute
        case .footageExpired: break
        }
    }
}
