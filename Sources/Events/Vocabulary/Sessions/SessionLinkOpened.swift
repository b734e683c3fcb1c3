// SPDX-License-Identifier: Apache-2.0
/// Somebody who had the link and its code joined by it; the device was registered in the same append.
public struct SessionLinkOpened: EventPayload {
    public static let kind: Kind = "session.link_opened/1"

    public let link: LinkID
    public let device: DeviceID

    public init(link: LinkID, device: DeviceID) {
        self.link = link
        self.device = device
    }

    public var links: [SubjectLink] { [.about(.device(device))] }
}
