// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird

/// The web pages, at the addresses that their table says, and what they are made of below `/web`.
///
/// Nothing here asks who somebody is: the pages hold no data, and sign in like any other client.
struct PageRoutes: Sendable {
    let folder: PageFolder
    /// Whether the ledger is a demo: only there is the page on which one signs in without a password.
    var isDemo = false
    /// Reads the folder again for each answer, for whoever works on the pages; `nil` where it was read once, at the start.
    var reread: (@Sendable () throws -> PageFolder)?

    var routes: [Route] {
        folder.table.files.keys.map { address in
            let path = address.replacing("{", with: ":").replacing("}", with: "")
            return Route(.get, RouterPath(path), for: .strangers) { request, _ in
                guard address != DemoRoutes.page || isDemo else { throw DemoRoutes.noRoute }
                let folder = try current()
                return try answer(folder.table.files[address] ?? "", of: folder, request)
            }
        }
            + (folder.files.isEmpty ? ["/console", "/call"] : []).map { path in
                Route(.get, RouterPath(path), for: .strangers) { request, _ in
                    try answer("", of: folder, request)
                }
            } + [
                Route(.get, "/web/**", for: .strangers) { request, context in
                    let path = context.parameters.getCatchAll().joined(separator: "/")
                    return try answer(path, of: current(), request)
                }
            ]
    }

    private func current() throws -> PageFolder {
        try reread?() ?? folder
    }

    private func answer(
        _ path: String,
        of folder: PageFolder,
        _ request: Request
    ) throws(Problem) -> Response {
        guard let file = folder.files[path] else {
            throw Problem(
                .unknownRoute,
                detail: folder.files.isEmpty
                    ? "this gateway has no pages; start it with --web and the folder of them"
                    : "there is no such page"
            )
        }
        var fields = Self.fields
        if Self.isForOthers(path) {
            fields[.accessControlAllowOrigin] = "*"
            fields[.crossOriginResourcePolicy] = "cross-origin"
        }
        return file.response(to: request, fields)
    }

    /// Whether pages of other sites may use a file: the chat module, and what it needs.
    private static func isForOthers(_ path: String) -> Bool {
        ["client/", "core/", "locales/"].contains { path.hasPrefix($0) }
    }

    /// Everything comes from here, no text becomes code, and nobody frames us.
    ///
    /// Camera and place are for our own pages. `no-cache` means: ask whether it has changed.
    static let fields: HTTPFields = [
        .cacheControl: "no-cache",
        .contentSecurityPolicy: [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src 'self' data: blob:",
            "media-src 'self' blob:", "connect-src 'self'", "worker-src 'self'",
            "manifest-src 'self'", "base-uri 'none'", "form-action 'self'",
            "frame-ancestors 'none'",
        ].joined(separator: "; "),
        .permissionsPolicy:
            "camera=(self), geolocation=(self), microphone=(), screen-wake-lock=(self)",
        .serviceWorkerAllowed: "/",
    ]
}
