// SPDX-License-Identifier: Apache-2.0
public import Events

/// Whoever sealed data belongs to; of interest is whether that person was erased.
public struct Person: Fold {
    public let id: PersonID
    public private(set) var isErased = false

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .subject(.person(id)) }

    /// Takes in an event of the person's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .person(let fact) = event.fact else { return }
        switch fact {
        case .erased: isErased = true
        }
    }
}
