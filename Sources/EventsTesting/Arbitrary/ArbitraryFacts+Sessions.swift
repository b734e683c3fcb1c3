// SPDX-License-Identifier: Apache-2.0
import Events

extension ArbitraryFacts {
    static let sessions: [Row] = [
        Row(
            { .session(.created($0)) },
            draw: {
                SessionCreated(
                    incident: $0.id(),
                    caller: $0.person(),
                    phone: $0.maybe { $0.sealed { $0.phone() } },
                    device: $0.maybe { $0.id() },
                    channel: $0.oneOf(),
                    openedBy: $0.oneOf(),
                    openedByUser: $0.maybe { $0.user() },
                    startLimitSeconds: $0.maybe { $0.integer() },
                    expiresAt: $0.maybe { $0.timestamp() }
                )
            }
        ),
        Row(
            { .session(.expired($0)) },
            draw: {
                SessionExpired(
                    caller: $0.person(),
                    owner: $0.maybe { $0.user() },
                    reason: $0.oneOf()
                )
            }
        ),
        Row({ .session(.claimed($0)) }, draw: { SessionClaimed(owner: $0.user()) }),
        Row(
            { .session(.released($0)) },
            draw: { SessionReleased(owner: $0.user(), reason: $0.oneOf()) }
        ),
        Row(
            { .session(.resumed($0)) },
            draw: {
                SessionResumed(by: $0.oneOf(), gapMilliseconds: $0.maybe { $0.integer() })
            }
        ),
        Row(
            { .session(.activitySignalled($0)) },
            draw: {
                SessionActivitySignalled(
                    by: $0.oneOf(),
                    activity: $0.oneOf(),
                    stream: $0.maybe { $0.id() }
                )
            }
        ),
        Row(
            { .session(.requestSent($0)) },
            draw: {
                SessionRequestSent(
                    request: $0.id(),
                    ask: $0.oneOf(),
                    expiresAt: $0.maybe { $0.timestamp() }
                )
            }
        ),
        Row({ .session(.requestOpened($0)) }, draw: { SessionRequestOpened(request: $0.id()) }),
        Row(
            { .session(.requestAnswered($0)) },
            draw: {
                SessionRequestAnswered(request: $0.id(), answer: $0.oneOf())
            }
        ),
        Row(
            { .session(.linkIssued($0)) },
            draw: { SessionLinkIssued(link: $0.id(), by: $0.user(), expiresAt: $0.timestamp()) }
        ),
        Row(
            { .session(.linkOpened($0)) },
            draw: { SessionLinkOpened(link: $0.id(), device: $0.id()) }
        ),
        Row(
            { .session(.consentRecorded($0)) },
            draw: {
                SessionConsentRecorded(
                    scope: $0.oneOf(),
                    decision: $0.oneOf(),
                    textVersion: $0.text()
                )
            }
        ),
        Row(
            { .session(.closed($0)) },
            draw: {
                SessionClosed(
                    caller: $0.person(),
                    by: $0.oneOf(),
                    owner: $0.maybe { $0.user() },
                    disposition: $0.text(),
                    note: $0.maybe { $0.sealed { $0.text() } }
                )
            }
        ),
        Row(
            { .session(.sealed($0)) },
            draw: { SessionSealed(by: $0.user(), reason: $0.maybe { $0.sealed { $0.text() } }) }
        ),
        Row(
            { .session(.unsealed($0)) },
            draw: { SessionUnsealed(by: $0.user(), reason: $0.maybe { $0.sealed { $0.text() } }) }
        ),
        Row(
            { .session(.offered($0)) },
            draw: {
                SessionOffered(
                    to: $0.user(),
                    by: $0.user(),
                    reason: $0.maybe { $0.sealed { $0.text() } },
                    expiresAt: $0.timestamp()
                )
            }
        ),
        Row({ .session(.offerDeclined($0)) }, draw: { SessionOfferDeclined(by: $0.user()) }),
        Row(
            { .session(.transferred($0)) },
            draw: { SessionTransferred(from: $0.user(), to: $0.user(), reason: $0.oneOf()) }
        ),
        Row(
            { .session(.unattended($0)) },
            draw: { SessionUnattended(owner: $0.user(), takeOverAt: $0.timestamp()) }
        ),
        Row(
            { .session(.linkProposed($0)) },
            draw: { SessionLinkProposed(from: $0.id(), by: $0.user(), expiresAt: $0.timestamp()) }
        ),
        Row(
            { .session(.linkDeclined($0)) },
            draw: { SessionLinkDeclined(from: $0.id(), proposer: $0.user()) }
        ),
        Row(
            { .session(.linkAccepted($0)) },
            draw: {
                SessionLinkAccepted(
                    session: $0.id(),
                    from: $0.id(),
                    proposer: $0.user(),
                    incident: $0.id()
                )
            }
        ),
    ]

    static let chats: [Row] = [
        Row(
            { .chat(.messageSent($0)) },
            draw: {
                ChatMessageSent(
                    message: $0.id(),
                    temporaryID: $0.text(),
                    from: $0.oneOf(),
                    text: $0.sealed { $0.text() },
                    clientTimestamp: $0.text(),
                    channel: $0.oneOf()
                )
            }
        ),
        Row(
            { .chat(.attachmentAdded($0)) },
            draw: {
                ChatAttachmentAdded(
                    message: $0.id(),
                    temporaryID: $0.text(),
                    from: $0.oneOf(),
                    person: $0.person(),
                    blob: $0.digest(),
                    bytes: $0.integer(),
                    mediaType: $0.oneOf(),
                    width: $0.integer(),
                    height: $0.integer()
                )
            }
        ),
        Row(
            { .chat(.messageRejected($0)) },
            draw: {
                ChatMessageRejected(temporaryID: $0.text(), from: $0.oneOf(), reason: $0.text())
            }
        ),
        Row(
            { .chat(.messageDelivered($0)) },
            draw: {
                ChatMessageDelivered(message: $0.id(), to: $0.oneOf())
            }
        ),
        Row({ .chat(.messageSeen($0)) }, draw: { ChatMessageSeen(upTo: $0.id(), by: $0.oneOf()) }),
    ]

    static let locations: [Row] = [
        Row(
            { .location(.reported($0)) },
            draw: {
                LocationReported(
                    person: $0.person(),
                    fix: $0.sealed { $0.fix() },
                    method: $0.word(),
                    request: $0.maybe { $0.id() }
                )
            }
        ),
        Row(
            { .location(.unavailable($0)) },
            draw: {
                LocationUnavailable(reason: $0.oneOf(), request: $0.maybe { $0.id() })
            }
        ),
    ]
}
