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

/// The cookie by which a browser is known again that somebody has signed in with.
///
/// It opens nothing: it only keeps others' wrong passwords from being counted against this browser.
enum BrowserCookie {
    static let name = "daybook-browser"

    /// What a browser brought; `nil` for what we did not make.
    static func value(in request: Request) -> String? {
        guard let value = request.cookies[name]?.value, (20...128).contains(value.utf8.count) else {
            return nil
        }
        return value
    }

    /// Keeps a browser known for 400 days, as long as browsers keep cookies.
    static func keeping(_ value: String) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: 400 * 86_400,
            path: "/v1",
            secure: true,
            httpOnly: true,
            sameSite: .lax
        )
    }
}

extension SignInOrigin {
    /// Where a request comes from.
    init(_ request: Request, _ context: GatewayContext) {
        self.init(
            address: context.remoteAddress,
            browser: BrowserCookie.value(in: request)
        )
    }
}
