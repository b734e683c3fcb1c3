// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct `Every source file` {
    @Test func `begins with its licence`() throws {
        for folder in ["Sources", "Tests", "Benchmarks"] {
            for file in try files(below: folder, "swift") {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(
                    text.hasPrefix("// SPDX-License-Identifier: Apache-2.0\n")
                        || text.hasPrefix("// swift-tools-version"),
                    "\(file.path)"
                )
            }
        }
    }
}

@Suite struct `Every document` {
    @Test func `links to files that are there`() throws {
        let documents =
            try files(below: "Documentation", "md")
            + ["README.md", "ARCHITECTURE.md", "fixtures/README.md"].map {
                root.appending(path: $0)
            }
        for document in documents {
            let text = try String(contentsOf: document, encoding: .utf8)
            for match in text.matches(of: /\]\(([^)#\s]+)/) where !match.1.contains("://") {
                let target = document.deletingLastPathComponent().appending(path: String(match.1))
                #expect(
                    FileManager.default.fileExists(atPath: target.path),
                    "\(document.lastPathComponent) links to \(match.1)"
                )
            }
        }
    }
}
