// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `Every sealed value` {
    /// Who in the gateway opens one without recording that somebody reads it, and why that is so.
    private static let unrecorded = [
        "PhoneBook.swift number": "looks for whose a number is",
        "SentBefore.swift check": "holds words against those that came again",
        "DeviceRoutes.swift tells": "holds a number against the one of a code",
        "LinkRoutes.swift purpose": "notes whom a link is for",
        "ManagedAccounts.swift signIn": "UserRoutes.signIns records it, but of one's own",
        "ChatFollower.swift reply": "ChatSocket records it when it opens",
        "IncidentHandlingRoutes.swift init": "the list of notes records it",
        "AlertRoutes.swift init": "the list of alerts records it",
        "ReportWire.swift init": "ReportRoutes records it",
        "SessionBodies.swift init": "SessionRoutes and IncidentRoutes record it",
        "PatrolWire.swift init": "PatrolRoutes records it",
        "UserRoutes.swift colleagues": "a name among colleagues (decision 0076)",
        "AuthRoutes.swift name": "who gave a code, told whom it was given to (decision 0076)",
    ]

    @Test func `that the gateway opens is read on record, or stands here with the reason`() throws {
        var found: Set<String> = []
        for file in try files(below: "Sources/Gateway", "swift") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for (name, body) in Self.functions(of: text)
            where body.contains(".opened(with:") && !body.contains("recordReading(") {
                found.insert("\(file.lastPathComponent) \(name)")
            }
        }
        #expect(found == Set(Self.unrecorded.keys))
    }

    /// Each function of a file with what follows it, up to the next.
    private static func functions(of text: String) -> [(name: Substring, body: Substring)] {
        let heads = text.matches(of: /\b(?:func (\w+)|(init)[?<(])/)
        return heads.indices.map { index in
            let end = index + 1 < heads.count ? heads[index + 1].range.lowerBound : text.endIndex
            let name = heads[index].1 ?? heads[index].2 ?? ""
            return (name, text[heads[index].range.lowerBound..<end])
        }
    }
}
