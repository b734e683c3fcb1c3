// SPDX-License-Identifier: Apache-2.0
public import Events

/// A span of a camera's footage is kept for an incident; the same span again is nothing new.
///
/// Who may ask is for the gateway to say: who writes about the incident, and may look at the camera.
public struct KeepFootage: Command {
    public let camera: CameraID
    public let incident: IncidentID
    public let from: Timestamp
    public let until: Timestamp

    public init(
        of camera: CameraID,
        for incident: IncidentID,
        from: Timestamp,
        until: Timestamp
    ) {
        self.camera = camera
        self.incident = incident
        self.from = from
        self.until = until
    }

    /// Why it was not kept.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case merged(IncidentID, into: IncidentID)
        /// It was never set up, or is another organisation's.
        case cameraUnknown(CameraID)
        case full(IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "keeping footage")
            case .merged(let id, let into):
                .incidentMerged(id, into: into, attempt: "keeping footage")
            case .cameraUnknown(let camera):
                Problem(
                    .notFound,
                    "camera-unknown",
                    "keeping footage refused: there is no camera \(camera); choose one of the list",
                    facts: ["camera": "\(camera)"]
                )
            case .full(let id):
                Problem(
                    .conflict,
                    "incident-footage-exhausted",
                    "keeping footage refused: incident \(id) has "
                        + "\(CameraLimits.spansPerIncidentMax) spans, as many as are kept; "
                        + "keep longer ones",
                    facts: ["incident": "\(id)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .incident(incident) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (incident: Incident, camera: Camera) {
        (
            try ledger.read(Incident.self, incident), try ledger.glance(Camera.self, camera)
        )
    }

    public func decide(
        _ state: (incident: Incident, camera: Camera),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.incident.isOpened else { throw .incidentUnknown(incident) }
        if let merger = state.incident.merger { throw .merged(incident, into: merger.into) }
        guard let name = state.camera.settings?.name,
            state.camera.organisation == state.incident.organisation
        else { throw .cameraUnknown(camera) }
        let seconds = (until.microseconds - from.microseconds) / 1_000_000
        try InputFault.check(
            from < until && seconds <= CameraLimits.keptSpanSecondsMax && until <= context.now,
            "from, until",
            "\(from) to \(until)",
            allowed: "a span of at most \(CameraLimits.keptSpanSecondsMax) s that is over",
            else: Refusal.unacceptable
        )
        let kept = IncidentFootageKept(
            camera: camera,
            name: name,
            firstAt: from,
            lastAt: until
        )
        guard !state.incident.footage.contains(where: { $0.isSameSpan(as: kept) }) else {
            return .already(())
        }
        guard state.incident.footage.count < CameraLimits.spansPerIncidentMax else {
            throw .full(incident)
        }
        return .record([.incident(incident, .footageKept(kept))])
    }
}

/// The spans of a camera's footage that incidents keep.
struct KeptSpans: Fold {
    private(set) var spans: [ClosedRange<Timestamp>] = []

    init(_ id: CameraID) {}

    static func source(of id: CameraID) -> FoldSource { .links(to: .about(.camera(id))) }

    /// Takes in an event that is about the camera.
    mutating func apply(_ event: RecordedEvent) {
        guard case .incident(.footageKept(let kept)) = event.fact else { return }
        spans.append(kept.firstAt...max(kept.firstAt, kept.lastAt))
    }
}

extension IncidentFootageKept {
    fileprivate func isSameSpan(as other: IncidentFootageKept) -> Bool {
        (camera, firstAt, lastAt) == (other.camera, other.firstAt, other.lastAt)
    }
}
