// SPDX-License-Identifier: Apache-2.0
/// The archive could not keep what arrived.
public struct StreamRecordingFailed: EventPayload {
    public static let kind: Kind = "stream.recording_failed/1"

    public let reasonCode: String
    public let text: String

    public init(reasonCode: String, text: String) {
        self.reasonCode = reasonCode
        self.text = text
    }
}
