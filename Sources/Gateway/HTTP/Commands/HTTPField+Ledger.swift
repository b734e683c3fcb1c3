// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// Header fields of our own.
extension HTTPField.Name {
    /// Where the events of a command stand; its last position.
    static let ledgerPosition = ownName("Daybook-Position")
    /// A query waits until it shows this position.
    static let ledgerAfter = ownName("Daybook-After")
    /// The ledger's time at an answer; what the ledger says happened is compared with it.
    static let ledgerTime = ownName("Daybook-Time")
    /// When the device claims that something happened.
    static let occurredAt = ownName("Daybook-Occurred-At")
    static let lastEventID = ownName("Last-Event-ID")

    /// A name that is a token for sure, since it stands in this file.
    private static func ownName(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
