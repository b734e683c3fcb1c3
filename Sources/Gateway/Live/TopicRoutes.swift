// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird

/// The socket of live pages: topics that resume by position.
struct TopicRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            .socket("/v1/ws", for: Askers(Role.allCases.filter(\.followsTopics)).orGuest) {
                _,
                context in
                (try context.signedIn(), context.limits)
            } handler: { connection, ticket in
                let (reader, limits) = ticket
                try await TopicSocket(
                    ledger: ledger,
                    connection: connection,
                    reader: reader,
                    limits: limits
                ).run()
            }
        ]
    }
}

extension Role {
    /// Who reads conversations, rescuers, who follow reports, and members of channels.
    fileprivate var followsTopics: Bool {
        reach != .nothing || self == .rescuer || CameraSight.staff.roles?.contains(self) ?? false
    }
}
