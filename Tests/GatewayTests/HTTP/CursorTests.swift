// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A position from outside` {
    /// Beyond every log, or no position at all.
    static let edges = [
        "18446744073709551614", "18446744073709551615", "18446744073709551616",
        "9223372036854775806", "9223372036854775807", "9223372036854775808", "-1", "1e400", "nan",
        "",
        "99999999", String(repeating: "9", count: 10_000),
    ]

    static let routes = [
        "/v1/events?follow=false&after=", "/v1/sessions?before=", "/v1/sessions?asOf=",
        "/v1/incidents?before=", "/v1/streams?before=", "/v1/alerts?before=",
        "/v1/reports?before=", "/v1/check-ins?before=",
    ]

    @Test func `is refused in words by every route that takes one, and ends nothing`() async throws
    {
        try await TestGateway.run { gateway in
            let boss = try await gateway.user(.supervisor, login: "boss")
            for route in Self.routes {
                for edge in Self.edges {
                    let answer = try await boss.get(route + edge)
                    #expect(answer.status == 400, "\(route)\(edge.prefix(30)): \(answer)")
                    #expect(try answer.text("type") == "urn:daybook:problem:malformed-request")
                }
            }
            for header in ["Daybook-After", "Last-Event-ID"] {
                for edge in Self.edges where !edge.isEmpty {
                    let name = try #require(HTTPField.Name(header))
                    let answer = try await gateway.send(
                        .get,
                        header == "Last-Event-ID" ? "/v1/events?follow=false" : "/v1/sessions",
                        headers: [
                            name: edge, .authorization: "Bearer \(boss.token)",
                        ],
                        bytes: []
                    )
                    #expect(answer.status == 400, "\(header) \(edge.prefix(30)): \(answer)")
                }
            }
        }
    }

    @Test func `goes from the first event to just behind the last`() async throws {
        try await TestGateway.run { gateway in
            let log = gateway.ledger.log
            let first = try Cursor("0", "after", in: log)
            #expect(first.following == LogPosition(1))
            #expect(first.last == LogPosition(0))
            let end = try Cursor("\(log.size)", "before", in: log)
            #expect(end.following == LogPosition(log.size))
            #expect(end.last == LogPosition(log.size - 1))
            #expect(throws: Problem.self) { try Cursor("\(log.size + 1)", "before", in: log) }
        }
    }
}
