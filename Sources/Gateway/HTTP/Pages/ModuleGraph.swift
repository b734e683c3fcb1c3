// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Which modules a page needs before it runs: read from the files, so that a browser fetches all of them at once and not a
/// layer after the other.
struct ModuleGraph {
    /// What each module imports from the start, by its path below the folder of pages.
    private let imports: [String: [String]]

    /// - Parameter modules: The modules' texts by their path; each is read once, however many pages need it.
    init(_ modules: [String: String]) {
        imports = Dictionary(
            uniqueKeysWithValues: modules.map { path, text in
                (path, Self.imports(of: text).compactMap { Self.path(of: $0, from: path) })
            }
        )
    }

    /// The modules that a page runs, and all that they import from the start, each once, in the order in which they are met.
    ///
    /// - Parameter html: The page.
    /// - Returns: Paths below the folder; what a module imports later, by `import()`, is not among them.
    func modules(of html: String) -> [String] {
        let begun = html.matches(of: #/<script\s[^>]*type="module"[^>]*\ssrc="\/web\/([^"]+)"/#)
            .map { String($0.1) }
        var found: [String] = []
        var waiting = begun
        while !waiting.isEmpty {
            let path = waiting.removeFirst()
            guard !found.contains(path), let imported = imports[path] else { continue }
            found.append(path)
            waiting += imported
        }
        return found
    }

    /// What a module names at its beginning: `import … from "./x.js"`, `export … from`, `import "./x.js"`.
    private static func imports(of text: String) -> [String] {
        text.matches(of: #/(?m)^(?:import|export)\s(?:[^"';]*?\sfrom\s*)?"([^"]+)"/#).map {
            String($0.1)
        }
    }

    /// Where a name leads that stands in a module; `nil` outside the folder of pages.
    private static func path(of name: String, from module: String) -> String? {
        if name.hasPrefix("/web/") { return String(name.dropFirst("/web/".count)) }
        guard name.hasPrefix(".") else { return nil }
        var parts = module.split(separator: "/").dropLast().map(String.init)
        for part in name.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(String(part))
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.joined(separator: "/")
    }
}
