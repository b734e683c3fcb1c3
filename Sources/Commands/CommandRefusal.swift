// SPDX-License-Identifier: Apache-2.0
/// An expected no: each command nests its own, and each says what a caller can do about it.
public protocol CommandRefusal: Error, Hashable, CustomStringConvertible {
    /// The refusal in the form that the gateway turns into an answer.
    var problem: Problem { get }
}

extension CommandRefusal {
    /// The attempt, the fact and the way out.
    public var description: String { problem.detail }
}
