// SPDX-License-Identifier: Apache-2.0
import Commands
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `The web pages` {
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
        PageRoutes(folder: .empty).add(to: door.door.router)
        let answer = try await door.send(.get, "/console")
        #expect(answer.status == 404)
        #expect(try answer.members["detail"]?.contains("--web") == true)
    }

    @Test(arguments: [
        ("messageBytes", CommandLimits.messageBytesMax), ("noteBytes", CommandLimits.noteBytesMax),
    ])
    func `know how much the gateway takes`(name: String, limit: Int) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../web/core/limits.js").standardizedFileURL
        let text = try String(contentsOf: sources, encoding: .utf8)
        #expect(text.contains("  \(name): \(limit),\n"))
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
        PageRoutes(folder: try PageFolder(at: web)).add(to: door.door.router)
        return door
    }
}
