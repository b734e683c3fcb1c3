// SPDX-License-Identifier: Apache-2.0
/// Someone signed in.
public struct UserLoggedIn: EventPayload {
    public static let kind: Kind = "user.logged_in/1"

    public let method: Method
    /// The network address it came from.
    public let address: Sealed<String>?

    public init(method: Method, address: Sealed<String>? = nil) {
        self.method = method
        self.address = address
    }

    /// How.
    public enum Method: String, Codable, Hashable, Sendable, CaseIterable {
        case password
        case token
    }
}
