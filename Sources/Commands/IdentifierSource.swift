// SPDX-License-Identifier: Apache-2.0
/// The chance of one command: 128 bits drawn once, stretched by xoroshiro128++, repeatable by copying.
struct IdentifierSource: RandomNumberGenerator, Sendable {
    private var s0: UInt64
    private var s1: UInt64

    init(using generator: inout some RandomNumberGenerator) {
        s0 = generator.next()
        // The algorithm's only forbidden state is all zeros.
        s1 = generator.next() | 1
    }

    mutating func next() -> UInt64 {
        let result = rotated(s0 &+ s1, by: 17) &+ s0
        let mixed = s1 ^ s0
        s0 = rotated(s0, by: 49) ^ mixed ^ (mixed << 21)
        s1 = rotated(mixed, by: 28)
        return result
    }

    private func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }
}
