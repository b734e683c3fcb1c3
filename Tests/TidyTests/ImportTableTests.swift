// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The root of the checkout.
let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Files below a folder of the checkout with one of these extensions, in order of their paths.
func files(below folder: String, _ extensions: String...) throws -> [URL] {
    let found = FileManager.default.enumerator(
        at: root.appending(path: folder),
        includingPropertiesForKeys: nil,
        options: [.skipsHiddenFiles]
    )
    let all = try #require(found, "there is no folder \(folder)")
    return all.compactMap { $0 as? URL }
        .filter { extensions.contains($0.pathExtension) && !$0.path.contains("/.build") }
        .sorted { $0.path < $1.path }
}

@Suite struct `The import table` {
    /// Who may know whom: the table of ARCHITECTURE.md itself, by target.
    static let allowed: [String: Set<String>] = {
        do { return try table() } catch { fatalError("ARCHITECTURE.md cannot be read: \(error)") }
    }()

    private static func table() throws -> [String: Set<String>] {
        let text = try String(
            contentsOf: root.appending(path: "ARCHITECTURE.md"),
            encoding: .utf8
        )
        let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| Target |") }
            .dropFirst(2).prefix { $0.hasPrefix("|") }
        return rows.reduce(into: [:]) { table, row in
            let cells = row.split(separator: "|")
            guard let names = cells.first, let imports = cells.dropFirst(2).first else { return }
            for name in words(in: names) { table[name] = Set(words(in: imports)) }
        }
    }

    private static func words(in cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }

    /// Where the sources of a target lie.
    private static func folder(of target: String) -> String {
        switch target {
        case "daybook-history": "Tests/History"
        case "daybook-benchmarks": "Benchmarks/Rows"
        default: "Sources/\(target)"
        }
    }

    @Test func `lists every target of ours`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "Sources").path
        )
        #expect(Set(folders).subtracting(Self.allowed.keys) == [])
        #expect(Self.allowed["Gateway"]?.contains("Commands") == true)
    }

    @Test(arguments: allowed.keys.sorted())
    func `holds for`(target: String) throws {
        let ours = Set(Self.allowed.keys)
        let allowed = try #require(Self.allowed[target])
        for file in try files(below: Self.folder(of: target), "swift") {
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n").filter { $0.contains(importing) }
            let imported = lines.compactMap(importedModule)
            #expect(
                imported.count == lines.count,
                "\(file.lastPathComponent): not all is read of \(lines)"
            )
            let foreign = Set(imported).intersection(ours).subtracting(allowed)
            #expect(foreign.isEmpty, "\(file.lastPathComponent) imports \(foreign.sorted())")
        }
    }

    /// A line that begins with words and attributes, of which one is `import`.
    private var importing: Regex<Substring> {
        /^\s*(?:@?\w+(?:\([^)]*\))?\s+)*import\s/
    }

    private func importedModule(_ line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
            words[..<place].allSatisfy({
                ["public", "package", "internal", "private", "@testable"].contains($0)
            })
        else { return nil }
        return String(words[place + 1])
    }
}
