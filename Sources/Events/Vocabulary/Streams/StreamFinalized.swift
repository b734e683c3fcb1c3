// SPDX-License-Identifier: Apache-2.0
/// The recording got its duration and cues; its bytes do not change any more.
public struct StreamFinalized: EventPayload {
    public static let kind: Kind = "stream.finalized/1"

    public let file: String
    public let sha256: SHA256Digest
    public let bytes: Int
    public let durationMilliseconds: Int

    public init(file: String, sha256: SHA256Digest, bytes: Int, durationMilliseconds: Int) {
        self.file = file
        self.sha256 = sha256
        self.bytes = bytes
        self.durationMilliseconds = durationMilliseconds
    }
}
