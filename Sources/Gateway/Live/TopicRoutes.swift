// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// The socket of live pages: topics that resume by position.
struct TopicRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            .socket("/v1/ws", for: .readers.orGuest) { _, context in
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
