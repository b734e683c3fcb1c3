// SPDX-License-Identifier: Apache-2.0
/// An event with its place in the log, decoded.
public struct RecordedEvent: Hashable, Sendable {
    /// Everything beside the payload.
    public let envelope: Envelope
    /// What happened, with sealed fields still sealed.
    public let fact: Fact

    public init(envelope: Envelope, fact: Fact) {
        self.envelope = envelope
        self.fact = fact
    }
}
