// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Gateway

@Suite struct `Files of others` {
    @Test func `are served under a name with their digest, for ever`() async throws {
        let folder = try TemporaryFolder()
        try Self.put("export const version = 1;", at: "leaflet/leaflet.esm.min.js", in: folder)
        let door = try TestDoor()
        let shelf = VendorShelf(assets: folder.url, roots: [])
        door.door.add(VendorRoutes(shelf: shelf).routes)
        let list = try await door.send(.get, "/vendor")
        let files = try #require(try list.object["files"] as? [String: String])
        let path = try #require(files["leaflet.js"])
        #expect(path.wholeMatch(of: /\/vendor\/leaflet\.[0-9a-f]{8}\.js/) != nil)
        let script = try await door.send(.get, path)
        #expect(script.body == "export const version = 1;")
        #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(script.headers[.cacheControl]?.contains("immutable") == true)
        // The style sheet is missing, and the gateway says how to get it.
        #expect(files["leaflet.css"] == nil)
        #expect(try list.text("remedy").hasSuffix("libjs-dygraphs libjs-leaflet"))
    }

    @Test func `of the site go before those of packages`() throws {
        let site = try TemporaryFolder()
        let packages = try TemporaryFolder()
        try Self.put("site", at: "leaflet/leaflet.css", in: site)
        for path in [
            "dygraphs/dygraph.min.js", "leaflet/leaflet.css", "leaflet/leaflet.esm.min.js",
        ] {
            try Self.put("package", at: path, in: packages)
        }
        let shelf = VendorShelf(assets: site.url, roots: [packages.url.path])
        #expect(shelf.remedy == nil)
        let texts = shelf.items.map { String(buffer: $0.page.bytes) }
        #expect(texts == ["package", "site", "package"])
    }

    @Test(arguments: [
        "/vendor/leaflet.js", "/vendor/leaflet.00000000.js", "/vendor/..%2f..%2fetc%2fpasswd",
        "/vendor/leaflet/leaflet.css", "/vendor/%2e%2e/secret",
    ])
    func `are nothing else of the file system`(path: String) async throws {
        let folder = try TemporaryFolder()
        try Self.put("a {}", at: "leaflet/leaflet.css", in: folder)
        let door = try TestDoor()
        door.door.add(VendorRoutes(shelf: VendorShelf(assets: folder.url, roots: [])).routes)
        #expect(try await door.send(.get, path).status == 404)
    }

    private static func put(_ text: String, at path: String, in folder: TemporaryFolder) throws {
        let file = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }
}
