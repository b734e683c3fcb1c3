// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird

/// The chat socket of the source document: callers and operators speak over the same one.
struct ChatRoutes: Sendable {
    let ledger: Ledger
    /// How many chats each principal opens, on all of its connections.
    private let openings: ClientRates

    init(ledger: Ledger) {
        self.ledger = ledger
        let limits = ledger.configuration.limits
        openings = ClientRates(limits.chatOpeningsOfPrincipal, capacity: limits.rememberedClients)
    }

    var routes: [Route] {
        [
            .socket("/chat", for: .strangers.orGuest) { _, context in
                // Nobody yet, unless the upgrade had a token: the first frame has it then.
                (
                    try context.principal.map { _ in try context.signedIn() },
                    context.remoteAddress, context.limits
                )
            } handler: { connection, caller in
                let (principal, address, limits) = caller
                try await ChatSocket(
                    ledger: ledger,
                    connection: connection,
                    address: address,
                    limits: limits,
                    openings: openings
                ).run(as: principal)
            }
        ]
    }
}
