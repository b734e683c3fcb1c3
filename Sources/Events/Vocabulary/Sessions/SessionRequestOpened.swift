// SPDX-License-Identifier: Apache-2.0
/// The caller's page shows the request, told once.
public struct SessionRequestOpened: EventPayload {
    public static let kind: Kind = "session.request_opened/1"

    public let request: RequestID

    public init(request: RequestID) {
        self.request = request
    }
}
