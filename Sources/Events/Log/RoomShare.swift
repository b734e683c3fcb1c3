// SPDX-License-Identifier: Apache-2.0

/// To which room of the disk, or of the map, events of a kind are taken; see ``LogLimits/freeBytesMin``.
enum RoomShare: Hashable, Sendable {
    /// Only where there is room.
    case roomy
    /// Also where little is left: whoever has a desk must be able to come in, come back, hand on, take over and close what is
    /// open, and end the rights of others; and what is over by its time alone ends. None of it can be repeated by who is not known.
    case short
    /// To the last: whoever closes, holds or erases must be able to. Who only looks is not (ruling 41): strangers could use it up.
    case last

    /// That of a kind; every kind that is written stands here, so that a new one is judged.
    static func of(_ kind: Kind) -> RoomShare { judged[kind] ?? .roomy }

    static let judged: [Kind: RoomShare] = {
        var judged: [Kind: RoomShare] = [:]
        for kind in takenToTheLast { judged[kind] = .last }
        for kind in takenWhenShort { judged[kind] = .short }
        for kind in takenWithRoom { judged[kind] = .roomy }
        return judged
    }()

    private static let takenToTheLast: [Kind] = [
        SessionClosed.kind, StreamStopped.kind, PersonErased.kind, HoldPlaced.kind, HoldLifted.kind,
        ClockStepped.kind, ClockConfirmed.kind,
    ]

    private static let takenWhenShort: [Kind] = [
        SessionClaimed.kind, SessionReleased.kind, SessionResumed.kind, SessionOffered.kind,
        SessionOfferDeclined.kind, SessionTransferred.kind, SessionUnattended.kind,
        SessionExpired.kind, SessionSealed.kind, StreamInterrupted.kind, DeviceRevoked.kind,
        UserCreated.kind, UserTokenIssued.kind, UserTokenRevoked.kind, UserPasswordChanged.kind,
        UserLoggedIn.kind, UserLoggedOut.kind, UserDisabled.kind, UserEnabled.kind,
        UserRoleChanged.kind,
    ]

    private static let takenWithRoom: [Kind] = [
        SessionCreated.kind, SessionActivitySignalled.kind, SessionRequestSent.kind,
        SessionRequestOpened.kind, SessionRequestAnswered.kind, SessionLinkIssued.kind,
        SessionLinkOpened.kind, SessionConsentRecorded.kind, SessionUnsealed.kind,
        SessionLinkProposed.kind, SessionLinkDeclined.kind, SessionLinkAccepted.kind,
        IncidentClassified.kind, IncidentNoteAdded.kind,
        IncidentOpened.kind, IncidentSessionLinked.kind, IncidentSessionUnlinked.kind,
        IncidentMerged.kind, IncidentUnmerged.kind, IncidentAddressSet.kind, DeviceCodeIssued.kind,
        DeviceRegistered.kind, DeviceAdmitted.kind, PushSubscribed.kind, PushUnsubscribed.kind,
        PushExpired.kind, StreamStarted.kind, StreamChunkArchived.kind, StreamChunksInspected.kind,
        StreamGapDetected.kind, StreamQualityChanged.kind, StreamCameraSwitched.kind,
        StreamTorchToggled.kind, StreamResumed.kind, StreamFinalized.kind,
        StreamRecordingFailed.kind, StreamViewed.kind, ChatMessageSent.kind,
        ChatAttachmentAdded.kind, ChatMessageRejected.kind, ChatMessageDelivered.kind,
        ChatMessageSeen.kind, LocationReported.kind, LocationUnavailable.kind, ReportSubmitted.kind,
        ReportStatusChanged.kind, AlertQueued.kind, AlertDeliveryAttempted.kind, AlertSent.kind,
        AlertFailed.kind, PatrolPointDefined.kind, PatrolCheckedIn.kind, PatrolCheckInRefused.kind,
        AccessRead.kind, AccessRefused.kind, PolicyEnabled.kind,
    ]
}
