// SPDX-License-Identifier: Apache-2.0
extension EventLimits {
    /// How deep objects and arrays of one JSON value may stand inside each other.
    public static let jsonDepthMax = 64
    /// The largest whole number that every JSON reader keeps exactly: 2⁵³ − 1 (RFC 7493).
    public static let jsonIntegerMax: Int64 = 9_007_199_254_740_991
}
