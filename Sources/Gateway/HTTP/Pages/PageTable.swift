// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// `pages.json`: at which addresses pages are, which file each is, and for whom.
///
///     {"/console": {"file": "console/index.html", "roles": ["operator"], "isHomeOf": ["operator"]}}
///
/// `{incident}` in an address stands for any one part of it, which the page reads by itself. Roles are for the pages' own shell,
/// which leads people to what they may use: a page holds no data, and what it asks for is refused to whoever may not have it.
struct PageTable: Sendable {
    /// Files, below the folder of pages, by address.
    let files: [String: String]
    /// Where somebody of a role begins.
    let homes: [Role: String]

    /// What a folder without a table has.
    static let standard = PageTable(files: ["/": "index.html"])

    private init(files: [String: String]) {
        (self.files, homes) = (files, [:])
    }

    private struct Page: Decodable {
        let file: String
        let roles: [String]?
        let isHomeOf: [String]?
    }

    /// - Parameters:
    ///   - json: The table.
    ///   - names: Files that are there.
    /// - Throws: ``Fault``, in words, when a page could not be served as it says.
    init(_ json: Data, of names: some Collection<String>) throws(Fault) {
        let pages: [String: Page]
        do {
            pages = try JSONDecoder().decode([String: Page].self, from: json)
        } catch {
            throw Fault(reason: "it is no object of pages, each with its file: \(error)")
        }
        for (address, page) in pages {
            guard address == "/" || address.wholeMatch(of: Self.form) != nil else {
                throw Fault(reason: "\(address) is no address such as /replay/{incident}")
            }
            let first = address.split(separator: "/").first.map(String.init) ?? ""
            guard !Self.taken.contains(first) else {
                throw Fault(reason: "\(address) belongs to the gateway itself")
            }
            guard names.contains(page.file) else {
                throw Fault(reason: "\(address) is \(page.file), which is not there")
            }
            for role in (page.roles ?? []) + (page.isHomeOf ?? []) where Role(rawValue: role) == nil
            {
                throw Fault(reason: "\(address) is for \(role), which is no role")
            }
        }
        files = pages.mapValues(\.file)
        var homes: [Role: String] = [:]
        for (address, page) in pages {
            for role in (page.isHomeOf ?? []).compactMap(Role.init(rawValue:)) {
                homes[role] = address
            }
        }
        self.homes = homes
    }

    /// Why a table cannot be used.
    struct Fault: Error {
        let reason: String
    }

    private static var form: Regex<(Substring, Substring?)> {
        #/\/[a-z][a-z0-9-]*(\/(?:[a-z][a-z0-9-]*|\{[a-z]+\}))*/#
    }

    /// Where the gateway's own addresses begin.
    private static let taken: Set<String> = [
        "v1", "web", "vendor", "tiles", "chat", "healthz", "readyz", "metrics",
        "rescues", "agencies", "guide", "donate",
    ]
}
