// SPDX-License-Identifier: Apache-2.0

/// Every limit of Web Push, with its unit.
enum PushLimits {
    /// Bytes of a subscription's address.
    static let endpointBytes = 2_048
    /// Bytes of an encrypted message that every push service takes (RFC 8030 §7.2).
    static let messageBytes = 4_096
    /// Bytes to which a message is filled up, so that its length does not tell what it is.
    static let plaintextBytes = 512
    /// Pushes that are on their way at once; further ones wait.
    static let deliveriesAtOnce = 32
    /// Of these, pushes to one device: a phone whose push service never answers holds up nobody else.
    static let deliveriesToDevice = 2
    /// Attempts of one push.
    static let attempts = 8
    /// The longest wait before another attempt, in seconds, whatever the push service asks for.
    static let retrySecondsMax = 3_600
    /// How long the proof of our identity is good, in seconds; at most a day (RFC 8292 §2).
    static let proofSeconds = 12 * 3_600
}
