// SPDX-License-Identifier: Apache-2.0
/// Writes any `Encodable` value as canonical JSON (RFC 8785): one value, one sequence of bytes.
///
/// Numbers are printed as ECMAScript does, names stand in the order of their UTF-16 units, and whole numbers that
/// JSON readers would round are refused. Values that are sealed already are written as they stand.
public struct CanonicalEncoder: Sendable {
    public init() {}

    /// Encodes one value.
    public func encode(_ value: some Encodable) throws(CanonicalEncodingError) -> [UInt8] {
        let encoding = CanonicalEncoding(sealer: nil)
        try encoding.run(value)
        return encoding.writer.bytes
    }
}
