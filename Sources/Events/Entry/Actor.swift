// SPDX-License-Identifier: Apache-2.0
/// Who asked for an event: `operator/123456789`, `device/…`, `policy/start-limit`.
public struct Actor: NameText {
    public let text: String

    public init(unchecked text: String) {
        self.text = text
    }

    public static func device(_ id: DeviceID) -> Actor { Actor(unchecked: "device/\(id)") }
    public static func policy(_ name: String) -> Actor { Actor(unchecked: "policy/\(name)") }
    public static func user(_ id: UserID, as role: Role) -> Actor {
        Actor(unchecked: "\(role.rawValue)/\(id)")
    }
    /// The user who asked and in which role; `nil` for phones, policies, the console and the ledger itself.
    public var user: (id: UserID, role: Role)? {
        guard let slash = text.firstIndex(of: "/"),
            let role = Role(rawValue: String(text[..<slash])),
            let id = UserID(String(text[text.index(after: slash)...]))
        else { return nil }
        return (id, role)
    }

    /// The phone that asked; `nil` for everybody else.
    public var device: DeviceID? {
        text.hasPrefix("device/") ? DeviceID(String(text.dropFirst("device/".count))) : nil
    }

    /// The ledger itself: clock events, recovery.
    public static let ledger = Actor(unchecked: "ledger/writer")
}
