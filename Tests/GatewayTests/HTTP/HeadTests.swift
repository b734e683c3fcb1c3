// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import Gateway

/// By sockets without a client's help: what no client sends is sent here.
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The head of a request` {
    /// Sends texts one after another, each when the answer before has its words, and prints all that came, until the server closes
    /// or nothing more is asked for.
    private static let script = """
        import json, socket, sys
        port, steps = int(sys.argv[1]), json.loads(sys.argv[2])
        door = socket.create_connection(("127.0.0.1", port), 20)
        heard = b""
        for words, until in steps:
            door.sendall(words.encode("latin-1"))
            while until is not None and until.encode() not in heard:
                more = door.recv(65536)
                if not more: break
                heard += more
            if until is None:
                while True:
                    try: more = door.recv(65536)
                    except ConnectionError: break
                    if not more: break
                    heard += more
        print(heard.decode("latin-1"))
        """

    /// What was heard behind each step; the last `nil` reads until the server closes.
    private func talk(_ port: Int, _ steps: [(String, String?)]) async throws -> String {
        let list = steps.map { words, until -> [Any] in
            [words, until.map { $0 as Any } ?? NSNull()]
        }
        let text = String(
            decoding: try JSONSerialization.data(withJSONObject: list),
            as: UTF8.self
        )
        return try await run("python3", ["-c", Self.script, "\(port)", text])
    }

    private func door() throws -> TestDoor {
        let test = try TestDoor()
        test.door.router.post("/take") { request, context in
            let body = try await request.body.collect(upTo: 1_000_000)
            return Response(
                status: .ok,
                headers: [.contentLength: "3"],
                body: ResponseBody(byteBuffer: .init(string: "\(100 + body.readableBytes)"))
            )
        }
        test.door.router.post("/json") { request, context in
            struct Body: Decodable {}
            _ = try await JSONBody().decode(Body.self, from: request, context: context)
            return Response(status: .ok)
        }
        test.door.router.post("/closed") { _, context in
            _ = try context.signedIn()
            return Response(status: .ok)
        }
        test.door.router.get("/here") { _, _ in Response(status: .ok) }
        return test
    }

    @Test(
        arguments: [
            "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: \r\n",
            "Host: a,b\r\n", "Host: a b\r\n", "Host: user@a\r\n", "Host: a/b\r\n",
            "Host: a:b\r\n", "Host: a:65536\r\n", "Host: [::1\r\n", "Host: [::1]80\r\n",
            "Host: http://a\r\n", "Host: b\u{e4}r\r\n",
        ]
    )
    func `names one host in one form, or is refused behind the answers that are due`(
        host: String
    ) async throws {
        try await withServer(try door()) { port, _ in
            let heard = try await talk(
                port,
                [
                    (
                        "GET /here HTTP/1.1\r\nHost: a\r\n\r\nGET /here HTTP/1.1\r\n\(host)\r\n"
                            + "GET /here HTTP/1.1\r\nHost: a\r\n\r\n", nil
                    )
                ]
            )
            let statuses = heard.components(separatedBy: "HTTP/1.1 ").dropFirst()
                .map { $0.prefix(3) }
            #expect(statuses == ["200", "400"], "\(heard)")
        }
    }

    @Test(arguments: ["Connection", "Expect", "Upgrade"])
    func `is refused where a field that leads the connection is not of ASCII`(field: String)
        async throws
    {
        try await withServer(try door()) { port, _ in
            let heard = try await talk(
                port,
                [("GET /here HTTP/1.1\r\nHost: a\r\n\(field): b\u{e4}r\r\n\r\n", nil)]
            )
            #expect(heard.contains(" 400 "), "\(heard)")
        }
    }

    @Test(
        arguments: [
            "HTTP/1.1\r\nHost: desk.example\r\n", "HTTP/1.1\r\nHost: a_b-c.example:8443\r\n",
            "HTTP/1.1\r\nHost: 192.0.2.7:\r\n", "HTTP/1.1\r\nHost: [2001:db8::7]:443\r\n",
            "HTTP/1.0\r\n", "HTTP/1.0\r\nHost: a\r\n",
        ]
    )
    func `is taken in every form that a host has`(head: String) async throws {
        try await withServer(try door()) { port, _ in
            let heard = try await talk(
                port,
                [("GET /here \(head)Connection: close\r\n\r\n", nil)]
            )
            #expect(heard.contains(" 200 "), "\(heard)")
        }
    }

    @Test func `with a body that waits hears 100 when the body is wanted`() async throws {
        try await withServer(try door()) { port, _ in
            let head =
                "POST /take HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n"
            let heard = try await talk(
                port,
                [
                    (head, "100 Continue\r\n\r\n"), ("hello", "105"),
                    // The connection goes on; whoever does not wait hears no 100.
                    (head + "again", "105"),
                    ("GET /here HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", nil),
                ]
            )
            #expect(heard.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"), "\(heard)")
            #expect(heard.components(separatedBy: " 200 OK").count == 4, "\(heard)")
        }
    }

    @Test(
        arguments: [
            ("/closed", "Content-Length: 5", "401"), ("/nowhere", "Content-Length: 5", "404"),
            ("/json", "Content-Length: 99999999999\r\nContent-Type: application/json", "413"),
            ("/json", "Transfer-Encoding: chunked\r\nContent-Type: text/plain", "415"),
        ]
    )
    func `with a body that nobody wants hears why at once, and is cut off`(
        path: String,
        fields: String,
        status: String
    ) async throws {
        try await withServer(try door()) { port, _ in
            let heard = try await talk(
                port,
                [
                    (
                        "POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(fields)\r\n\r\n",
                        nil
                    )
                ]
            )
            #expect(heard.hasPrefix("HTTP/1.1 \(status) "), "\(heard)")
            #expect(heard.lowercased().contains("connection: close"), "\(heard)")
            #expect(!heard.contains("100 Continue"))
        }
    }

    @Test func `expects 100-continue or nothing`() async throws {
        try await withServer(try door()) { port, _ in
            let heard = try await talk(
                port,
                [
                    (
                        "POST /take HTTP/1.1\r\nHost: a\r\nExpect: coffee\r\nContent-Length: 2\r\n"
                            + "Connection: close\r\n\r\nhi", nil
                    )
                ]
            )
            #expect(heard.hasPrefix("HTTP/1.1 417 "), "\(heard)")
            #expect(heard.contains("urn:daybook:problem:expectation-failed"))
        }
    }
}
