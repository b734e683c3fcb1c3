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
    /// Who may know whom (ARCHITECTURE.md).
    static let allowed: [String: Set<String>] = [
        "Threads": [],
        "Maps": ["CZlib"],
        "Media": ["CSandbox", "CVPX", "CTurboJPEG", "Threads"],
        "MediaTesting": ["Media"],
        "Events": ["CLMDB", "Threads"],
        "EventsTesting": ["Events"],
        "Commands": ["Events", "Threads"],
        "Projections": ["Events"],
        "ProjectionsTesting": ["Projections", "Events", "EventsTesting"],
        "Replay": ["Projections", "Events", "Media"],
        "Gateway": ["Commands", "Projections", "Events", "Maps", "Media", "Threads"],
        "daybook": ["Gateway", "Maps", "Replay", "Events", "Media"],
        "daybook-media": ["Media", "MediaTesting"],
    ]

    @Test func `lists every target of ours`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "Sources").path
        )
        let swift = Set(folders).subtracting(["CLMDB", "CSandbox", "CVPX", "CTurboJPEG", "CZlib"])
        #expect(swift.subtracting(Self.allowed.keys) == [])
    }

    @Test(arguments: allowed.keys.sorted())
    func `holds for`(target: String) throws {
        let folder = root.appending(path: "Sources/\(target)")
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let ours = Set(Self.allowed.keys).union([
            "CLMDB", "CSandbox", "CVPX", "CTurboJPEG", "CZlib",
        ])
        let allowed = try #require(Self.allowed[target])
        for file in try files(below: "Sources/\(target)", "swift") {
            let text = try String(contentsOf: file, encoding: .utf8)
            let imported = text.split(separator: "\n").compactMap(importedModule)
            let foreign = Set(imported).intersection(ours).subtracting(allowed)
            #expect(foreign.isEmpty, "\(file.lastPathComponent) imports \(foreign.sorted())")
        }
    }

    private func importedModule(_ line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
            words[..<place].allSatisfy({
                ["public", "internal", "private", "@testable"].contains($0)
            })
        else { return nil }
        return String(words[place + 1])
    }
}
