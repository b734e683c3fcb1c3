// SPDX-License-Identifier: Apache-2.0

/// What can be set about Web Push.
public struct PushConfiguration: Sendable {
    /// Whom a push service turns to: `mailto:…` or `https:…`; `nil` for the ledger's origin as a URL.
    public var contact: String?
    /// Where push services may be.
    public var reach = PushReach.internet
    /// A PEM file of the authorities that certify push services; `nil` for those that this machine trusts.
    public var trustRoots: String?
    /// How long one attempt may take.
    public var timeLimit = Duration.seconds(10)
    /// How long a message of the centre may stay undelivered before the phone is told: with the page open, it never is.
    public var chatGrace = Duration.seconds(5)
    /// The wait before the second attempt; it doubles for each one more.
    public var firstRetry = Duration.seconds(1)

    public init() {}

    /// Refuses a contact that push services would not take.
    func check() throws(StartError) {
        guard let contact else { return }
        guard contact.hasPrefix("mailto:") || contact.hasPrefix("https://") else {
            throw .pushContactUnusable(contact)
        }
    }
}

/// Which addresses a push service may have: subscriptions name them, and a subscription comes from a phone.
public enum PushReach: String, Sendable, CaseIterable {
    /// Public addresses, by HTTPS.
    case internet
    /// Private networks besides: a site with a push service of its own.
    case site
    /// This machine besides, also by plain HTTP: for trying it out.
    case machine
}
