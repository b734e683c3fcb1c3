// SPDX-License-Identifier: Apache-2.0
/// The canonical form of JSON (RFC 8785): one value, one sequence of bytes.
public enum CanonicalJSON {
    /// Checks that bytes are exactly one canonical JSON value, nothing before or behind it.
    public static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(CanonicalJSONError) {
        var scanner = CanonicalScanner(bytes)
        try scanner.value(depth: 0)
        try scanner.end()
    }

    /// Checks that bytes are exactly one canonical JSON value, nothing before or behind it.
    public static func check(_ bytes: [UInt8]) throws(CanonicalJSONError) {
        // A closure inside `withUnsafeBufferPointer` keeps the type of what it throws.
        try bytes.withUnsafeBufferPointer { bytes throws(CanonicalJSONError) in try check(bytes) }
    }

    /// Rewrites any JSON value in canonical form.
    ///
    /// Refused is what I-JSON (RFC 7493) forbids: repeated names, lone surrogates, whole numbers that a
    /// double would round.
    public static func canonicalise(_ bytes: [UInt8]) throws(CanonicalJSONError) -> [UInt8] {
        try bytes.withUnsafeBufferPointer { bytes throws(CanonicalJSONError) in
            var rewriter = CanonicalRewriter(bytes)
            try rewriter.run()
            return rewriter.writer.bytes
        }
    }
}
