// SPDX-License-Identifier: Apache-2.0
import Events

extension ArbitraryFacts {
    static let devices: [Row] = [
        Row(
            { .device(.codeIssued($0)) },
            draw: {
                DeviceCodeIssued(
                    person: $0.person(),
                    phone: $0.sealed { $0.phone() },
                    by: $0.user(),
                    reason: $0.sealed { $0.text() },
                    expires: $0.timestamp()
                )
            }
        ),
        Row(
            { .device(.registered($0)) },
            draw: {
                DeviceRegistered(
                    person: $0.person(),
                    phone: $0.sealed { $0.phone() },
                    verification: $0.oneOf(),
                    codeGivenBy: $0.maybe { $0.user() },
                    publicKey: $0.maybe { $0.text() }
                )
            }
        ),
        Row(
            { .device(.admitted($0)) },
            draw: { DeviceAdmitted(person: $0.person(), session: $0.maybe { $0.id() }) }
        ),
        Row(
            { .device(.revoked($0)) },
            draw: { DeviceRevoked(person: $0.person(), reason: $0.text()) }
        ),
        Row(
            { .device(.pushSubscribed($0)) },
            draw: {
                PushSubscribed(
                    subscription: $0.id(),
                    person: $0.person(),
                    endpoint: $0.sealed { $0.digest() }
                )
            }
        ),
        Row(
            { .device(.pushUnsubscribed($0)) },
            draw: { PushUnsubscribed(subscription: $0.id(), person: $0.person()) }
        ),
        Row(
            { .device(.pushExpired($0)) },
            draw: {
                PushExpired(subscription: $0.id(), person: $0.person(), status: $0.integer())
            }
        ),
    ]

    static let users: [Row] = [
        Row(
            { .user(.created($0)) },
            draw: {
                UserCreated(
                    organisation: $0.organisation(),
                    role: $0.oneOf(),
                    person: $0.person(),
                    name: $0.maybe { $0.sealed { $0.text() } },
                    mustChangePassword: $0.bool()
                )
            }
        ),
        Row(
            { .user(.loggedIn($0)) },
            draw: {
                UserLoggedIn(method: $0.oneOf(), address: $0.maybe { $0.sealed { $0.text() } })
            }
        ),
        Row({ .user(.loggedOut($0)) }, draw: { UserLoggedOut(reason: $0.oneOf()) }),
        Row(
            { .user(.tokenIssued($0)) },
            draw: { UserTokenIssued(token: $0.text(), expires: $0.timestamp()) }
        ),
        Row({ .user(.tokenRevoked($0)) }, draw: { UserTokenRevoked(token: $0.text()) }),
        Row({ .user(.passwordChanged($0)) }, draw: { UserPasswordChanged(cause: $0.oneOf()) }),
        Row({ .user(.disabled($0)) }, draw: { UserDisabled(reason: $0.text()) }),
        Row({ .user(.enabled($0)) }, draw: { UserEnabled(reason: $0.text()) }),
        Row(
            { .user(.roleChanged($0)) },
            draw: { UserRoleChanged(from: $0.oneOf(), to: $0.oneOf(), reason: $0.text()) }
        ),
    ]

    static let access: [Row] = [
        Row(
            { .access(.read($0)) },
            draw: {
                AccessRead(
                    reader: $0.actor(),
                    resource: $0.subject(),
                    purpose: $0.text(),
                    fields: $0.list(upTo: 5) { $0.text() }
                )
            }
        ),
        Row(
            { .access(.refused($0)) },
            draw: {
                AccessRefused(
                    resource: $0.maybe { $0.subject() },
                    attempt: $0.text(),
                    reason: $0.oneOf(),
                    count: $0.integer(),
                    network: $0.maybe { $0.text() },
                    address: $0.maybe { $0.sealed { $0.text() } }
                )
            }
        ),
    ]

    static let people: [Row] = [
        Row(
            { .person(.erased($0)) },
            draw: {
                PersonErased(
                    person: $0.person(),
                    by: $0.maybe { $0.user() },
                    approvedBy: $0.maybe { [$0.user(), $0.user()] },
                    reason: $0.text()
                )
            }
        ),
        Row(
            { .hold(.placed($0)) },
            draw: {
                HoldPlaced(
                    hold: $0.id(),
                    scope: $0.subject(),
                    persons: $0.list(upTo: 4) { $0.person() },
                    reason: $0.text(),
                    authority: $0.text()
                )
            }
        ),
        Row(
            { .hold(.lifted($0)) },
            draw: {
                HoldLifted(
                    hold: $0.id(),
                    reason: $0.text(),
                    approvedBy: $0.list(upTo: 2) { $0.user() }
                )
            }
        ),
    ]

    static let ledger: [Row] = [
        Row(
            { .policy(.enabled($0)) },
            draw: { arbitrary in
                var settings: [String: Int] = [:]
                for name in arbitrary.list(upTo: 6, { $0.text() }) {
                    settings[name] = arbitrary.integer()
                }
                return PolicyEnabled(policy: arbitrary.text(), settings: settings)
            }
        ),
        Row(
            { .clock(.stepped($0)) },
            draw: {
                ClockStepped(stepMicroseconds: $0.integer(), followed: $0.bool())
            }
        ),
        Row(
            { .clock(.confirmed($0)) },
            draw: { ClockConfirmed(heldBackMicroseconds: $0.integer()) }
        ),
    ]
}
