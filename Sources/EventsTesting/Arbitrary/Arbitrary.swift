// SPDX-License-Identifier: Apache-2.0
public import Events

/// Draws values for properties: any that a type allows, edges more often than chance would.
///
/// The same seed draws the same values, on every machine.
public struct Arbitrary: Sendable {
    /// Where all chance comes from.
    public var generator: SeededGenerator
    /// Whom sealed values tell about; see ``SeededKeys``.
    public let people: [PersonID]

    /// Starts the draws of a seed.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same draws.
    ///   - people: How many people there are, at least one.
    public init(seed: UInt64, people: Int = 8) {
        precondition(people > 0, "somebody must be there for sealed values to tell about")
        var generator = SeededGenerator(seed: seed)
        self.people = (0..<people).map { _ in
            PersonID(at: Timestamp(microseconds: 1_700_000_000_000_000), using: &generator)
        }
        self.generator = generator
    }

    /// Whether something happens that does so in one of so many cases.
    public mutating func one(in cases: Int) -> Bool {
        Int.random(in: 0..<cases, using: &generator) == 0
    }

    public mutating func bool() -> Bool { Bool.random(using: &generator) }

    public mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// One of the values, which must not be none.
    public mutating func element<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    /// Any case of a closed list.
    public mutating func oneOf<Value: CaseIterable>(_ type: Value.Type = Value.self) -> Value {
        element(of: Array(Value.allCases))
    }

    /// Nothing, in one of three cases.
    public mutating func maybe<Value>(_ draw: (inout Arbitrary) -> Value) -> Value? {
        one(in: 3) ? nil : draw(&self)
    }

    /// Up to so many values, often none.
    public mutating func list<Value>(
        upTo count: Int,
        _ draw: (inout Arbitrary) -> Value
    ) -> [Value] {
        (0..<number(0...count)).map { _ in draw(&self) }
    }
}
