// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// The cookie that carries a token for web pages: out of reach for scripts, TLS only, and not
/// sent along by other sites.
enum SessionCookie {
    static let name = "daybook"

    /// The cookie that signs in.
    ///
    /// It ends with the browser; the token ends on its own.
    static func signingIn(_ token: IssuedToken) -> Cookie {
        cookie(token.token, maxAge: nil)
    }

    /// The cookie that signs out.
    static let signingOut = cookie("", maxAge: 0)

    private static func cookie(_ value: String, maxAge: Int?) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: maxAge,
            path: "/",
            secure: true,
            httpOnly: true,
            sameSite: .lax
        )
    }
}
