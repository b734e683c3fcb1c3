// SPDX-License-Identifier: Apache-2.0

/// What the outside said of a message for one recipient.
///
/// The texts are for the administrator: at most a few hundred characters, and never a password.
enum DeliveryAnswer: Hashable, Sendable {
    /// It has taken the message; the receipt is its reply, at most 200 characters.
    case sent(receipt: String)
    /// Not taken, and a retry may succeed.
    case later(String)
    /// Not taken, and a retry would get the same answer: this recipient or this content.
    case refused(String)
    /// Not taken because of our settings: TLS, certificate, login or the host's refusal of us.
    case misconfigured(String)
    /// The connection was lost between the last byte and the reply.
    ///
    /// A retry under the same `Message-ID` may deliver the mail twice.
    case unknown(String)
}
