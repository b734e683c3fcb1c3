// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// What people write of a number, and what it means; the pages are held to the same file.
private struct WrittenNumbers: Decodable {
    struct Example: Decodable {
        let country: String?
        let written: String
        /// From the country's code on; empty where it is no number.
        let digits: String
    }

    let countries: [String: [String: DialledPart]]
    let examples: [Example]

    enum DialledPart: Decodable, Hashable {
        case text(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    static func read() throws -> Self {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../fixtures/phones/numbers.json").standardizedFileURL
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }
}

@Suite struct `The beginning of a number` {
    @Test func `is read as the pages read it`() throws {
        let written = try WrittenNumbers.read()
        #expect(written.examples.count > 50)
        for example in written.examples {
            let country = example.country.flatMap(Country.init(code:))
            let prefix = PhonePrefix(example.written, in: country)
            let text = example.digits.isEmpty ? nil : "+" + example.digits
            #expect(prefix?.text == text, "\(example)")
        }
    }

    @Test func `is of countries that dial as the table of the pages says`() throws {
        for (code, parts) in try WrittenNumbers.read().countries {
            let country = try #require(Country(code: code))
            let told = try JSONDecoder().decode(
                [String: WrittenNumbers.DialledPart].self,
                from: JSONEncoder().encode(country)
            )
            #expect(told == parts)
        }
    }

    @Test func `is no text of any length`() {
        #expect(PhonePrefix("+44" + String(repeating: " ", count: 62), in: nil) == nil)
        #expect(PhonePrefix("+44" + String(repeating: " ", count: 61), in: nil)?.text == "+44")
    }

    @Test func `finds a caller, and asks for digits where there is none`() async throws {
        try await TestGateway.run {
            $0.site.country = "GB"
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let position = try #require(opened.headers[.ledgerPosition])
            let forms = [
                "%2B44771", "+44771", "0771", "0044%20771", "%2B44%20(0)771", "44771", "0",
            ]
            for written in forms {
                let found = try await amina.get("/v1/callers?prefix=\(written)", after: position)
                #expect(try found.items.count == 1, "\(written)")
            }
            #expect(try await amina.get("/v1/callers?prefix=0772").items.isEmpty)
            for path in ["/v1/callers?prefix=", "/v1/streams?phone="] {
                for written in ["unknown", "", "%2B", "%D9%A0%D9%A7"] {
                    let answer = try await amina.get(path + written)
                    #expect(answer.status == 422, "\(path)\(written)")
                    #expect(try answer.problem == "phone-without-digits")
                }
            }
            #expect(try await amina.get("/v1/callers").status == 400)
        }
    }
}
