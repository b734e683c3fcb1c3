// SPDX-License-Identifier: Apache-2.0
/// What was asked for has more entries than one view as of a point may read; a part of them would be a wrong answer.
public struct CaseTooLarge: Error, Hashable, CustomStringConvertible {
    /// How many entries may be read.
    public let entriesMax: Int

    public var description: String {
        "what was asked for has more than the \(entriesMax) entries that a view as of a point may read; ask for less (of a list, by a smaller limit), for an earlier point, or without one"
    }
}
