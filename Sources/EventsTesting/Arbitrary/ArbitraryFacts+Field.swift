// SPDX-License-Identifier: Apache-2.0
import Events

extension ArbitraryFacts {
    static let incidents: [Row] = [
        Row(
            { .incident(.opened($0)) },
            draw: {
                IncidentOpened(
                    type: $0.text(),
                    priority: $0.integer(),
                    summary: $0.maybe { $0.sealed { $0.text() } }
                )
            }
        ),
        Row(
            { .incident(.sessionLinked($0)) },
            draw: {
                IncidentSessionLinked(
                    session: $0.id(),
                    from: $0.maybe { $0.id() },
                    reason: $0.text()
                )
            }
        ),
        Row(
            { .incident(.sessionUnlinked($0)) },
            draw: { IncidentSessionUnlinked(session: $0.id(), to: $0.id(), reason: $0.text()) }
        ),
        Row(
            { .incident(.merged($0)) },
            draw: {
                IncidentMerged(
                    into: $0.id(),
                    sessions: $0.list(upTo: 4) { $0.id() },
                    reason: $0.text()
                )
            }
        ),
        Row(
            { .incident(.unmerged($0)) },
            draw: {
                IncidentUnmerged(
                    from: $0.id(),
                    sessions: $0.list(upTo: 4) { $0.id() },
                    reason: $0.text()
                )
            }
        ),
        Row(
            { .incident(.addressSet($0)) },
            draw: {
                IncidentAddressSet(
                    address: $0.sealed { $0.text() },
                    plusCode: $0.maybe { $0.sealed { $0.text() } },
                    source: $0.oneOf()
                )
            }
        ),
        Row(
            { .incident(.classified($0)) },
            draw: {
                IncidentClassified(
                    type: $0.text(),
                    priority: $0.integer(),
                    typeBefore: $0.text(),
                    priorityBefore: $0.integer()
                )
            }
        ),
        Row(
            { .incident(.noteAdded($0)) },
            draw: {
                IncidentNoteAdded(note: $0.id(), session: $0.id(), text: $0.sealed { $0.text() })
            }
        ),
    ]

    static let reports: [Row] = [
        Row(
            { .report(.submitted($0)) },
            draw: {
                ReportSubmitted(
                    reporter: $0.person(),
                    fix: $0.sealed { $0.fix() },
                    species: $0.text(),
                    sizeClass: $0.oneOf(),
                    condition: $0.oneOf(),
                    notes: $0.maybe { $0.sealed { $0.text() } },
                    contact: $0.maybe { $0.sealed { $0.text() } },
                    photos: $0.list(upTo: 4) { $0.digest() }
                )
            }
        ),
        Row(
            { .report(.statusChanged($0)) },
            draw: {
                ReportStatusChanged(
                    from: $0.oneOf(),
                    to: $0.oneOf(),
                    by: $0.user(),
                    note: $0.maybe { $0.sealed { $0.text() } }
                )
            }
        ),
    ]

    static let alerts: [Row] = [
        Row(
            { .alert(.queued($0)) },
            draw: {
                AlertQueued(
                    cause: $0.subject(),
                    severity: $0.oneOf(),
                    template: $0.text(),
                    contact: $0.person(),
                    sms: $0.maybe { $0.sealed { $0.phone() } },
                    email: $0.maybe { $0.sealed { $0.text() } },
                    push: $0.maybe { $0.id() },
                    deduplicationKey: $0.text(),
                    timeToLiveSeconds: $0.integer()
                )
            }
        ),
        Row(
            { .alert(.deliveryAttempted($0)) },
            draw: { AlertDeliveryAttempted(channel: $0.oneOf(), attempt: $0.integer()) }
        ),
        Row(
            { .alert(.sent($0)) },
            draw: {
                AlertSent(channel: $0.oneOf(), attempt: $0.integer(), providerID: $0.text())
            }
        ),
        Row(
            { .alert(.failed($0)) },
            draw: {
                AlertFailed(
                    channel: $0.oneOf(),
                    attempt: $0.integer(),
                    permanence: $0.oneOf(),
                    error: $0.text(),
                    retryAfterSeconds: $0.maybe { $0.integer() }
                )
            }
        ),
    ]

    static let patrols: [Row] = [
        Row(
            { .patrol(.pointDefined($0)) },
            draw: {
                PatrolPointDefined(
                    site: $0.text(),
                    name: $0.text(),
                    latitude: $0.double(),
                    longitude: $0.double(),
                    radiusMetres: $0.double()
                )
            }
        ),
        Row(
            { .patrol(.checkedIn($0)) },
            draw: {
                PatrolCheckedIn(
                    guardID: $0.user(),
                    guardPerson: $0.person(),
                    fix: $0.maybe { $0.sealed { $0.fix() } },
                    distanceMetres: $0.maybe { $0.sealed { $0.double() } },
                    offline: $0.bool(),
                    note: $0.maybe { $0.sealed { $0.text() } }
                )
            }
        ),
        Row(
            { .patrol(.checkInRefused($0)) },
            draw: {
                PatrolCheckInRefused(
                    guardID: $0.user(),
                    reason: $0.oneOf(),
                    distanceMetres: $0.maybe { $0.sealed { $0.double() } }
                )
            }
        ),
    ]
}
