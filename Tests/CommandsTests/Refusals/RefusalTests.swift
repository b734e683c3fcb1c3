// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `Every refusal` {
    @Test(arguments: RefusalScenario.all)
    func `comes about and tells attempt, fact and way out`(scenario: RefusalScenario) throws {
        let ledger = MemoryLedger()
        let thrown = #expect(throws: (any Error).self) { try scenario.play(ledger) }
        let refusal = try #require(thrown as? any CommandRefusal, "\(String(describing: thrown))")
        #expect(caseName(of: refusal) == scenario.name)
        #expect(refusal.problem.detail.contains(" refused: "))
        #expect(refusal.problem.detail.contains("; "))
        #expect(refusal.description == refusal.problem.detail)
    }

    @Test func `of the source has its scenario`() throws {
        let written = try SourceText.refusals()
        #expect(written.count > 90)
        #expect(written.subtracting(RefusalScenario.all.map(\.name)).sorted() == [])
        #expect(Set(RefusalScenario.all.map(\.name)).subtracting(written).sorted() == [])
    }

    @Test func `has a permanent name that tells it from all others`() throws {
        var categories: [String: Problem.Category] = [:]
        for scenario in RefusalScenario.all {
            let ledger = MemoryLedger()
            let thrown = #expect(throws: (any Error).self) { try scenario.play(ledger) }
            guard let problem = (thrown as? any CommandRefusal)?.problem else { continue }
            // One name means one category, whichever command says it.
            #expect(categories[problem.slug, default: problem.category] == problem.category)
            categories[problem.slug] = problem.category
        }
        #expect(Set(categories.keys) == (try SourceText.slugs()))
    }
}

/// What the module's source says, so that no refusal is added without its scenario.
enum SourceText {
    static func refusals() throws -> Set<String> {
        var names: Set<String> = []
        for text in try files() {
            let commands = text.matches(of: /public struct (\w+): \w*Command\b/)
            for match in text.matches(
                of: /public enum (\w+): \w+Refusal \{([\s\S]*?)public var problem/
            ) {
                let owner = commands.last { $0.range.lowerBound < match.range.lowerBound }?.1
                let name = match.1 == "Refusal" ? owner ?? match.1 : match.1
                for line in match.2.matches(of: /case (\w+)/) { names.insert("\(name).\(line.1)") }
            }
        }
        return names
    }

    static func slugs() throws -> Set<String> {
        Set(
            try files().flatMap { text in
                text.matches(of: /Problem\(\s*\.\w+,\s*"([a-z-]+)"/).map { String($0.1) }
            }
        )
    }

    private static func files() throws -> [String] {
        var root = URL(filePath: #filePath)
        while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
        let folder = root.deletingLastPathComponent().appending(path: "Sources/Commands")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? [])
            .filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }
}
