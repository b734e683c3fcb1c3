// SPDX-License-Identifier: Apache-2.0

extension MerkleHash: CustomStringConvertible {
    /// The hash as 64 lower-case hexadecimal digits.
    public var description: String { hex }

    /// The hash as 64 lower-case hexadecimal digits.
    public var hex: String { withUnsafeBytes { HexText.encode($0) } }

    /// The hash in standard base64 with padding, as checkpoints and proofs print it.
    public var base64: String { withUnsafeBytes { Base64Text.encode($0) } }

    /// Reads 64 hexadecimal digits.
    ///
    /// - Parameter hex: Lower-case digits; `nil` results for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = HexText.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// Reads standard base64 with padding.
    ///
    /// - Parameter base64: 44 characters; `nil` results for any other spelling, so that one hash
    ///   has one text.
    public init?(base64: some StringProtocol) {
        guard let bytes = Base64Text.decode(base64) else { return nil }
        self.init(bytes: bytes)
    }
}
