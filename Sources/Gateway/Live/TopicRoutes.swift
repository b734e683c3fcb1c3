// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// The socket of live pages: topics that resume by position.
struct TopicRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        let ledger = ledger
        router.socket("/v1/ws") { _, context in
            let reader = try context.signedIn()
            guard reader.role.reach != .nothing else {
                throw Problem(.forbidden, detail: "your role has no live topics")
            }
            return (reader, context.limits)
        } handler: { connection, ticket in
            let (reader, limits) = ticket
            try await TopicSocket(
                ledger: ledger,
                connection: connection,
                reader: reader,
                limits: limits
            ).run()
        }
    }
}
