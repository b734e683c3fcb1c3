// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `The web pages` {
    @Test func `lend other sites the chat module and what it needs, and nothing else`() async throws
    {
        try await TestGateway.run {
            $0.pages = nil
        } _: { gateway in
            for (path, origin) in [
                ("client/daybook-chat.js", "*"), ("core/chat.js", "*"), ("call/call.js", nil),
            ] {
                let answer = try await gateway.send(.get, "/web/\(path)")
                #expect(answer.status == 200)
                #expect(answer.headers[.accessControlAllowOrigin] == origin)
            }
        }
    }

    @Test func `are answered with a strict policy, their type and a tag`() async throws {
        let door = try door(with: ["index.html": "<h1>x</h1>", "core/api.js": "export {}"])
        let page = try await door.send(.get, "/")
        #expect(page.status == 200)
        #expect(page.body == "<h1>x</h1>")
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
        #expect(!policy.contains("unsafe"))
        let script = try await door.send(.get, "/web/core/api.js")
        #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
    }

    @Test func `are not sent again to a browser that has them`() async throws {
        let door = try door(with: ["index.html": "<h1>x</h1>"])
        let tag = try #require(try await door.send(.get, "/").headers[.eTag])
        let again = try await door.send(.get, "/", headers: [.ifNoneMatch: "\"other\", W/\(tag)"])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again.headers[.eTag] == tag)
    }

    @Test(arguments: [
        "/web/../secret.html", "/web/..%2fsecret.html", "/web/%2e%2e/secret.html",
        "/web//etc/passwd", "/web/core", "/web/.hidden.html", "/web/link.html", "/web/notes.txt",
        "/web/test/api.test.js", "/web/package.json",
    ])
    func `give nothing but the files of their folder`(path: String) async throws {
        let door = try door(with: [
            "index.html": "<h1>x</h1>", "core/api.js": "export {}", ".hidden.html": "hidden",
            "notes.txt": "notes", "test/api.test.js": "test", "package.json": "{}",
        ])
        let answer = try await door.send(.get, path)
        #expect(answer.status == 404)
        #expect(!answer.body.contains("secret") || answer.headers[.contentType] != "text/html")
    }

    @Test func `are left out where there are none, with words`() async throws {
        let door = try TestDoor()
        door.door.add(PageRoutes(folder: .empty).routes)
        let answer = try await door.send(.get, "/console")
        #expect(answer.status == 404)
        #expect(try answer.members["detail"]?.contains("--web") == true)
    }

    @Test(arguments: [
        ("messageBytes", CommandLimits.messageBytesMax), ("noteBytes", CommandLimits.noteBytesMax),
        ("addressBytes", CommandLimits.noteBytesMax), ("wordBytes", CommandLimits.wordBytesMax),
        ("loginCharacters", AccountLimits().loginCharacters),
        ("passwordCharactersLeast", AccountLimits().passwordCharacters.lowerBound),
        ("codeBytes", AccountLimits.spokenCodeBytes),
        ("idleSeconds", Int(AccountLimits().operatorIdle / .seconds(1))),
        ("topicMilliseconds", Int(GatewayLimits().topicPosition / .milliseconds(1))),
    ])
    func `know how much the gateway takes`(name: String, limit: Int) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../web/core/limits.js").standardizedFileURL
        let text = try String(contentsOf: sources, encoding: .utf8)
        #expect(text.contains("  \(name): \(limit),\n"))
    }

    @Test func `come as gzip to browsers that take it, with a tag of their own`() async throws {
        let text = "export const words = [" + String(repeating: "\"help\", ", count: 200) + "];"
        let door = try door(with: ["index.html": "<h1>x</h1>", "core/words.js": text])
        let path = "/web/core/words.js"
        let plain = try await door.send(.get, path)
        #expect(plain.body == text)
        #expect(plain.headers[.contentEncoding] == nil)
        #expect(plain.headers[.vary] == "accept-encoding")
        let packed = try await door.send(
            .get,
            path,
            headers: [.acceptEncoding: "br, gzip;q=0.5"]
        )
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.headers[.contentType] == "text/javascript; charset=utf-8")
        let tag = try #require(packed.headers[.eTag])
        #expect(tag != plain.headers[.eTag])
        let again = try await door.send(
            .get,
            path,
            headers: [.acceptEncoding: "gzip", .ifNoneMatch: tag]
        )
        #expect(again.status == 304)
        let long = "gzip" + String(repeating: ";a", count: PageLimits.encodingWishBytes / 2)
        for refusal in ["gzip;q=0", "gzip; q=0.000", "gzip;a;q=0.", "br", "*", "xgzip", long] {
            let answer = try await door.send(.get, path, headers: [.acceptEncoding: refusal])
            #expect(answer.headers[.contentEncoding] == nil, "\(refusal)")
            #expect(answer.body == text, "\(refusal)")
        }
        let small = try await door.send(.get, "/", headers: [.acceptEncoding: "gzip"])
        #expect(small.headers[.contentEncoding] == nil)
    }

    @Test func `name all modules that they need, each once, and none that comes later`()
        async throws
    {
        let door = try door(with: [
            "index.html":
                "<head><script type=\"module\" src=\"/web/pages/a/page.js\"></script></head>",
            "pages/a/page.js": """
            import { b } from "../../core/b.js";
            import {
              c,
              d,
            } from "./c.js";
            import "/web/core/e.js";
            export { f } from "./none.js";
            import leaflet from "/vendor/leaflet.js";
            const late = () => import("./late.js");
            """,
            "core/b.js": "import { e } from \"./e.js\";\nimport \"../../outside.js\";",
            "pages/a/c.js": "import { b } from \"../../core/b.js\";",
            "pages/a/late.js": "export {}", "core/e.js": "// import \"./late.js\";",
        ])
        let page = try await door.send(.get, "/")
        let named = page.body.matches(of: #/<link rel="modulepreload" href="([^"]+)">/#)
            .map { String($0.1) }
        #expect(named == ["/web/core/b.js", "/web/pages/a/c.js", "/web/core/e.js"])
    }

    @Test func `are where their table says`() async throws {
        let door = try door(with: [
            "index.html": "<h1>x</h1>", "replay/index.html": "<h1>replay</h1>",
            "pages.json": """
            {"/": {"file": "index.html"},
             "/replay/{incident}": {"file": "replay/index.html", "roles": ["auditor"]}}
            """,
        ])
        #expect(try await door.send(.get, "/").body == "<h1>x</h1>")
        let page = try await door.send(.get, "/replay/0199e0c0-0000-7000-8000-000000000000")
        #expect(page.body == "<h1>replay</h1>")
        #expect(try await door.send(.get, "/replay").status == 404)
        #expect(try await door.send(.get, "/console").status == 404)
    }

    @Test(arguments: [
        (#"{"/v1/page": {"file": "index.html"}}"#, "belongs to the gateway"),
        (#"{"/tiles": {"file": "index.html"}}"#, "belongs to the gateway"),
        (#"{"/../x": {"file": "index.html"}}"#, "is no address"),
        (#"{"x": {"file": "index.html"}}"#, "is no address"),
        (#"{"/x": {"file": "other.html"}}"#, "which is not there"),
        (#"{"/x": {"file": "index.html", "roles": ["king"]}}"#, "which is no role"),
        (#"{"/x": {}}"#, "each with its file"), ("[]", "each with its file"),
    ])
    func `are refused with words where their table is wrong`(json: String, words: String) throws {
        let error = #expect(throws: StartError.self) {
            try door(with: ["index.html": "<h1>x</h1>", "pages.json": json])
        }
        let text = try #require(error?.description)
        #expect(text.contains("pages.json"))
        #expect(text.contains(words), "\(text)")
    }

    @Test func `are read anew for whoever works on them`() async throws {
        let door = try TestDoor()
        let folder = try TemporaryFolder()
        let index = folder.url.appending(path: "index.html")
        try Data("<h1>one</h1>".utf8).write(to: index)
        let read: @Sendable () throws -> PageFolder = { [url = folder.url] in
            try PageFolder(at: url, isCompressed: false)
        }
        door.door.add(PageRoutes(folder: try read(), reread: read).routes)
        #expect(try await door.send(.get, "/").body == "<h1>one</h1>")
        try Data("<h1>two</h1>".utf8).write(to: index)
        #expect(try await door.send(.get, "/").body == "<h1>two</h1>")
    }

    @Test func `are read where their folder is named by a link`() throws {
        let folder = try TemporaryFolder()
        let (real, link) = (folder.url.appending(path: "real"), folder.url.appending(path: "web"))
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
        try Data("<p>".utf8).write(to: real.appending(path: "page.html"))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        try FileManager.default.createSymbolicLink(
            atPath: real.appending(path: "index.html").path,
            withDestinationPath: "page.html"
        )
        #expect(throws: StartError.self) { try PageFolder(at: link) }
        try FileManager.default.removeItem(at: real.appending(path: "index.html"))
        try Data("<p>".utf8).write(to: real.appending(path: "index.html"))
        #expect(try Set(PageFolder(at: link).files.keys) == ["index.html", "page.html"])
    }

    @Test func `need an index`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StartError.self) { try PageFolder(at: folder.url) }
        #expect(error?.description.contains("index.html") == true)
    }

    /// A door with pages of a folder, beside which lies a file that is nobody's business.
    private func door(with files: [String: String]) throws -> TestDoor {
        let door = try TestDoor()
        let web = door.folder.appending(path: "web")
        for (path, text) in files {
            let file = web.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        let secret = door.folder.appending(path: "secret.html")
        try Data("secret".utf8).write(to: secret)
        try FileManager.default.createSymbolicLink(
            at: web.appending(path: "link.html"),
            withDestinationURL: secret
        )
        door.door.add(PageRoutes(folder: try PageFolder(at: web)).routes)
        return door
    }
}
