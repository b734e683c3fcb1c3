// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a command came to.
public struct Answer<Outcome: Sendable>: Sendable {
    /// What the caller is told.
    public let outcome: Outcome
    /// Where its events stand; `nil` if it was so already and nothing had to be recorded.
    ///
    /// Only with a receipt of its own is the command remembered, and answered the same for ever.
    public let receipt: Receipt?
}

extension Answer: Equatable where Outcome: Equatable {}
