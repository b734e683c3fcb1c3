// SPDX-License-Identifier: Apache-2.0
/// A set of fingerprints, each with a number beside it: millions of them in little memory.
///
/// Open addressing with a power of two of places; 0 marks a free place.
struct FingerprintTable {
    private var keys: [UInt64]
    private var numbers: [UInt64]
    private let holdsNumbers: Bool
    private(set) var count = 0

    init(holdingNumbers: Bool) {
        holdsNumbers = holdingNumbers
        keys = [UInt64](repeating: 0, count: 1_024)
        numbers = holdingNumbers ? [UInt64](repeating: 0, count: 1_024) : []
    }

    /// Adds a fingerprint with a number; the number that stands there if it was known, which stays.
    mutating func insert(_ fingerprint: UInt64, _ number: UInt64) -> UInt64? {
        let place = place(of: fingerprint)
        guard keys[place] == 0 else { return numbers[place] }
        return update(fingerprint, to: number)
    }

    /// Sets the number beside a fingerprint and returns the one before.
    mutating func update(_ fingerprint: UInt64, to number: UInt64) -> UInt64? {
        var place = place(of: fingerprint)
        guard keys[place] == 0 else {
            defer { numbers[place] = number }
            return numbers[place]
        }
        if take(place, fingerprint) { place = self.place(of: fingerprint) }
        numbers[place] = number
        return nil
    }

    private func place(of fingerprint: UInt64) -> Int {
        let key = fingerprint == 0 ? 1 : fingerprint
        let mask = keys.count - 1
        var place = Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 20) & mask
        while keys[place] != 0, keys[place] != key { place = (place + 1) & mask }
        return place
    }

    /// Takes a free place; true if everything moved because the table grew.
    @discardableResult
    private mutating func take(_ place: Int, _ fingerprint: UInt64) -> Bool {
        keys[place] = fingerprint == 0 ? 1 : fingerprint
        count += 1
        guard count * 3 > keys.count * 2 else { return false }
        grow()
        return true
    }

    private mutating func grow() {
        let (oldKeys, oldNumbers) = (keys, numbers)
        keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
        if holdsNumbers { numbers = [UInt64](repeating: 0, count: oldKeys.count * 2) }
        for (index, key) in oldKeys.enumerated() where key != 0 {
            let place = place(of: key)
            keys[place] = key
            if holdsNumbers { numbers[place] = oldNumbers[index] }
        }
    }
}
