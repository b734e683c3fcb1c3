// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct `Every source file` {
    @Test func `begins with its licence`() throws {
        for folder in ["Sources", "Tests", "Benchmarks/Sources"] {
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

    @Test func `is at most 400 lines long, and half of them at most 120`() throws {
        let lengths = try files(below: "Sources", "swift").map { file in
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            ).count
            #expect(
                lines <= 401,
                "\(file.path) has \(lines) lines: look for a second subject in it"
            )
            return lines
        }
        #expect(lengths.filter { $0 <= 121 }.count * 2 >= lengths.count)
    }
}

@Suite struct `Every ruling` {
    @Test func `that is named stands among the rulings`() throws {
        let list = try String(
            contentsOf: root.appending(path: "Documentation/Rulings.md"),
            encoding: .utf8
        )
        let known = Set(list.matches(of: #/\n- \*\*(\d+)\. /#).map { $0.output.1 })
        #expect(known.count > 20)
        var named = 0
        for (folder, ending) in [
            ("Sources", "swift"), ("Tests", "swift"), ("Tests/Tools", "py"), ("web", "js"),
            ("Documentation", "md"),
        ] {
            for file in try files(below: folder, ending) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /[Rr]uling (\d+)/) {
                    named += 1
                    #expect(known.contains(match.output.1), "\(match.output.0) in \(file.path)")
                }
            }
        }
        #expect(named > 100)
    }
}

@Suite struct `Every actor of our own` {
    @Test func `stands in the one list of them`() throws {
        for file in try files(below: "Sources/Gateway", "swift")
        where file.lastPathComponent != "OwnActors.swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("Actor(unchecked: \""), "\(file.path)")
        }
    }
}

@Suite struct `Every message of the log` {
    private static func said() throws -> String {
        try files(below: "Sources/Gateway", "swift").map {
            try String(contentsOf: $0, encoding: .utf8)
        }.joined()
    }

    @Test func `that Operations names is one`() throws {
        let text = try String(
            contentsOf: root.appending(path: "Documentation/Operations.md"),
            encoding: .utf8
        )
        let logs = try #require(text.split(separator: "## Logs\n").last)
        let table = try #require(
            logs.split(separator: "| Message | Means | What to do |").dropFirst().first?
                .split(separator: "\n\n").first
        )
        let messages = table.split(separator: "\n").dropFirst().flatMap { row in
            (row.split(separator: "|").first ?? "").matches(of: /`([^`]+)`/).map { $0.output.1 }
        }
        #expect(messages.count > 10)
        let said = try Self.said()
        for message in messages { #expect(said.contains("\"\(message)\""), "\(message)") }
    }

    @Test func `that somebody has to see to stands in Operations`() throws {
        let text = try String(
            contentsOf: root.appending(path: "Documentation/Operations.md"),
            encoding: .utf8
        )
        let faults = try Self.said().matches(of: /\.(?:error|critical)\(\s*"([^"\\]+)"/)
            .map { $0.output.1 }
        #expect(faults.count > 10)
        for fault in faults { #expect(text.contains("`\(fault)`"), "\(fault)") }
    }
}

@Suite struct `Every scope of a query` {
    /// Where somebody's rights become a scope, and where the gateway itself may look at everything.
    private static let makers = ["Access/ReadingRights.swift"]
    private static let ofEverything = ["Upkeep/Upkeep+Holds.swift"]

    @Test func `in the gateway is made by a principal, and by the console for everything`() throws {
        for file in try files(below: "Sources/Gateway", "swift") {
            let text = try String(contentsOf: file, encoding: .utf8)
            func isOne(of places: [String]) -> Bool {
                places.contains { file.path.hasSuffix($0) }
            }
            let makes = text.contains(/[^.\w]Scope\(/)
            #expect(!makes || isOne(of: Self.makers), "\(file.path) makes a scope")
            let seesAll = text.contains("wholeLedger")
            #expect(!seesAll || isOne(of: Self.ofEverything), "\(file.path) sees everything")
        }
    }
}

@Suite struct `Every JSON` {
    /// What reads what we wrote ourselves, or whoever runs the gateway.
    private static let ofOurOwn = ["JSONText.swift", "LedgerIdentity.swift", "PageTable.swift"]

    @Test func `from outside is read in one place, behind the look at its text`() throws {
        for file in try files(below: "Sources/Gateway", "swift")
        where !Self.ofOurOwn.contains(file.lastPathComponent) {
            let text = try String(contentsOf: file, encoding: .utf8)
            let isTheOne = file.lastPathComponent == "JSONBody.swift"
            #expect(
                text.matches(of: /JSONDecoder\(\)|JSONSerialization/).count == (isTheOne ? 1 : 0)
            )
        }
    }
}

/// An index that somebody edited leads to another's row, which the file's triggers would seal.
@Suite struct `Every statement on the tables of accounts` {
    /// Runs at a start, behind the look at the indexes.
    private static let behindTheLook = "AccountStore+Codes.swift"
    /// Looks at what it wrote.
    private static let checked = "\\(search"

    @Test func `in the gateway believes no index`() throws {
        var count = 0
        for file in try files(below: "Sources/Gateway", "swift")
        where file.lastPathComponent != Self.behindTheLook {
            let text = try String(contentsOf: file, encoding: .utf8)
            let named = /(?:FROM|JOIN|UPDATE)\s+main\.(?:\w+|\\\([^)]*\))\s*(.{0,11})/
            for match in text.matches(of: named) {
                count += 1
                #expect(
                    match.1 == "NOT INDEXED" || match.1.hasPrefix(Self.checked),
                    "\(file.lastPathComponent): \(match.0): use AccountRows"
                )
            }
        }
        #expect(count > 5)
    }

    /// How often an index is believed in which file: where a row opens something, and none opens nothing.
    ///
    /// Where it means something that there is none, it is `unhidden`.
    private static let byIndex = [
        "AccountStore+Places.swift": 2, "AccountStore+NewPhones.swift": 4,
        "AccountStore+Links.swift": 1, "AccountStore+Tokens.swift": 3, "PushSubscription.swift": 2,
    ]

    @Test func `in the gateway believes no index that there is no row`() throws {
        var found: [String: Int] = [:]
        let searches =
            /(?:FROM|JOIN)\s+(?:users|devices|tokens|links|places|device_codes|device_sessions|push_subscriptions)\b/
        for folder in ["Sources/Gateway/Accounts", "Sources/Gateway/Push"] {
            for file in try files(below: folder, "swift")
            where file.lastPathComponent != Self.behindTheLook {
                let count = try String(contentsOf: file, encoding: .utf8).matches(of: searches)
                    .count
                if count > 0 { found[file.lastPathComponent] = count }
            }
        }
        #expect(found == Self.byIndex, "use AccountRows.Table.unhidden")
    }

    /// A row that somebody planted is in the way of one that is made without a look at it.
    @Test func `in the gateway makes a row by one way, or takes the place of what is there`() throws
    {
        var makers: Set<String> = []
        for file in try files(below: "Sources/Gateway", "swift") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /INSERT\s+(?:OR\s+(\w+)\s+)?INTO\s+main\./)
            where match.1 != "REPLACE" {
                makers.insert(file.lastPathComponent)
            }
        }
        #expect(makers == ["NewAccountRow.swift"])
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

@Suite struct `Every promise` {
    @Test func `names suites and programs that exist, and are run by a test or a target`() throws {
        let document = root.appending(path: "Documentation/Guarantees.md")
        let rows = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
            .filter { $0.wholeMatch(of: /\| \d+ \| .*/) != nil }
        #expect(rows.count == 10)
        let sources = try files(below: "Tests", "swift")
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let targets = try String(contentsOf: root.appending(path: "Makefile"), encoding: .utf8)
        func isRun(_ program: String) -> Bool {
            let name = program.split(separator: "/").last?.dropLast(3) ?? ""
            return sources.contains("OutsideProgram(name: \"\(name)\")")
                || targets.contains("python3 \(program) ")
        }
        for row in rows {
            let names = row.matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!names.isEmpty)
            for name in names {
                let isProgram =
                    name.hasPrefix("Tests/") && isRun(name)
                    && FileManager.default.fileExists(atPath: root.appending(path: name).path)
                let isSuite =
                    sources.contains("struct `\(name)`") || sources.contains("struct \(name) ")
                #expect(isProgram || isSuite, "\(name)")
            }
        }
    }
}

@Suite struct `Every route that changes something` {
    /// Who may is asked of the ``Asker`` that comes with the body, never of whoever sent the head (decision 0075).
    @Test func `asks nobody else than who asks when the body is here`() throws {
        var commands = 0
        for folder in ["HTTP/Routes", "Push"] {
            for file in try files(below: "Sources/Gateway/\(folder)", "swift") {
                let text = try String(contentsOf: file, encoding: .utf8)
                for function in text.split(
                    separator: #/\n    (?:@\w+ )*(?:private |static )*func /#
                ) {
                    let body = function.split(separator: "\n    }\n").first ?? function
                    let isCommand =
                        body.contains("ledger.command(") || body.contains(" CommandRequest(")
                    guard isCommand || body.contains("JSONBody().decode") else { continue }
                    commands += isCommand ? 1 : 0
                    for early in ["signedIn(", "signedInEvenTemporarily(", "context.principal"] {
                        #expect(!body.contains(early), "\(file.path): \(body.prefix(40))")
                    }
                }
            }
        }
        #expect(commands > 30)
    }
}
