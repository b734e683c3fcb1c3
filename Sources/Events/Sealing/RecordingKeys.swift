// SPDX-License-Identifier: Apache-2.0

/// The keys under which the archive seals what it writes of a stream, until the log has it.
///
/// They follow from the master key, so that a start knows what the archive wrote before a crash from what anybody who can
/// write its folder put there.
public struct RecordingKeys: Sendable {
    private let key: DerivedKey

    public init(of masterKey: MasterKey) {
        key = DerivedKey(of: masterKey, for: "daybook recording clusters")
    }

    /// The key of one file of cameras' footage, by its path below the media folder: 32 bytes.
    public func key(ofFootage file: String) -> [UInt8] {
        key.code(of: Array("footage/\(file)".utf8))
    }

    /// The key of one stream's recording: 32 bytes.
    public func key(of stream: StreamID) -> [UInt8] {
        key.code(of: Array("\(Subject.stream(stream))".utf8))
    }
}
