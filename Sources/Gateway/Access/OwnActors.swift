// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What the gateway itself is called in the log, all of it: no account can have such an actor, or such a name.
///
/// An account acts as its role and its id (`operator/…`), so the categories here are no roles; the ids are reserved besides,
/// because earlier versions recorded as `service/archive`.
enum OwnActors {
    /// The first words of our own actors; a test holds them apart from roles, another finds actors that are made elsewhere.
    static let categories: Set<String> = [
        "analyser", "console", "ledger", "policy", "recorder", "stranger", "telephone",
    ]

    /// What our own actors are called, here or in an earlier version; no account is made with such an id.
    static let names: Set<String> = [
        "archive", "clock", "inspection", "ledger", "local", "unknown", "vpx", "writer",
        "alert-delivery", "call-outs", "caller-video", "cameras", "delivery", "idle-logout",
        "numbers", "push",
        "report-dispatch",
        "request-expiry", "row-codes",
        "rounds", "start-limit", "stream-silence", "telephony", "text-assignment", "webhooks",
    ]

    /// Whether an id may be an account's.
    static func reserve(userID: String) -> Bool {
        let id = userID.lowercased()
        return names.contains(id) || categories.contains(id)
    }
}

extension Actor {
    /// Who records what arrived; before, that stood as `service/archive`.
    static let archive = Actor(unchecked: "recorder/archive")
    /// Who records what the decoder saw.
    static let inspection = Actor(unchecked: "analyser/inspection")
    /// Whoever came without a valid token.
    static let nobody = Actor(unchecked: "stranger/unknown")

    /// Whoever sits at this machine's console, by the account of the operating system.
    static var console: Actor {
        Actor("console/\(NSUserName())") ?? Actor(unchecked: "console/local")
    }

    /// Whether it is a part of the gateway.
    var isOwn: Bool { OwnActors.categories.contains(String(text.prefix { $0 != "/" })) }
}
