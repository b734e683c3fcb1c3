// SPDX-License-Identifier: Apache-2.0
extension [UInt64] {
    /// How many numbers of an ascending list are at most a limit, in O(log n).
    func count(through limit: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
