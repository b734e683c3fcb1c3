// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation

/// A new token, at the only moment when it can be read.
struct IssuedToken: Sendable, Hashable {
    /// 256 random bits in base64url behind `dbk_`, which lets scanners find leaked ones.
    let token: String
    /// Names the token in lists and for revoking.
    let id: String
    let expires: Date

    /// What is stored of a token.
    ///
    /// The token has 256 bits of its own, so no salt is needed.
    static func digest(of token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }

    /// A text that nobody can guess.
    static func fresh() -> String {
        "dbk_" + Base64URL.text(SecretBytes.random(32))
    }
}

/// A token as lists show it.
struct TokenSummary: Sendable, Hashable {
    let id: String
    let created: Date
    let expires: Date
    /// Exact to ``AccountLimits/lastUseGrain``.
    let lastUsed: Date
    let revoked: Date?
    let scopes: Set<String>
}
