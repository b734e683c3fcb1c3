// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files of the web pages, read once: what is not among them cannot be asked for.
///
/// So no path of a request ever reaches the file system.
struct PageFolder: Sendable {
    /// By their path below the folder, such as `core/api.js`.
    let files: [String: PageFile]
    /// Which of them are pages, and where.
    let table: PageTable

    /// A gateway without pages; its interfaces work all the same.
    static let empty = PageFolder(files: [:], table: .standard)

    private init(files: [String: PageFile], table: PageTable) {
        (self.files, self.table) = (files, table)
    }

    /// Reads a folder, leaving out hidden files, links, kinds of file that no page has, and what
    /// tests its modules.
    ///
    /// - Parameters:
    ///   - folder: Where the pages lie.
    ///   - site: What they are filled with.
    ///   - isCompressed: Whether answers may be gzip.
    /// - Throws: ``StartError/pagesUnusable(_:reason:)`` when it is no such folder, or larger than
    ///   ``PageLimits``.
    init(at folder: URL, of site: Site = Site(), isCompressed: Bool = true) throws {
        let found = try Self.read(folder)
        let texts = found.filter { $0.key.hasSuffix(".js") }
            .mapValues { String(decoding: $0, as: UTF8.self) }
        let page = try SitePage(site, modules: ModuleGraph(texts))
        var files: [String: PageFile] = [:]
        for (path, data) in found {
            let bytes = path.hasSuffix(".html") ? page.filled(data) : data
            let kind = URL(filePath: path).pathExtension
            files[path] = PageFile(bytes, extension: kind, isCompressed: isCompressed)
        }
        self.files = files
        guard let json = found["pages.json"] else {
            table = .standard
            return
        }
        do {
            table = try PageTable(json, of: found.keys)
        } catch {
            throw StartError.pagesUnusable(folder.path, reason: "pages.json: \(error.reason)")
        }
    }

    private static func read(_ named: URL) throws -> [String: Data] {
        // The folder itself may be named by a link; what is walked is not.
        let folder = named.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: folder.appending(path: "index.html").path)
        else { throw StartError.pagesUnusable(named.path, reason: "it has no index.html") }
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .isSymbolicLinkKey]
        let walk = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: Array(keys),
            options: .skipsHiddenFiles
        )
        let root = folder.standardizedFileURL.path
        var found: [String: Data] = [:]
        var bytes = 0
        while let url = walk?.nextObject() as? URL {
            let values = try url.resourceValues(forKeys: keys)
            guard values.isRegularFile == true, values.isSymbolicLink != true else { continue }
            let path = String(url.standardizedFileURL.path.dropFirst(root.count + 1))
            guard !path.hasPrefix("test/"), path != "package.json" else { continue }
            guard PageFile.isServed(url.pathExtension) else { continue }
            let data = try Data(contentsOf: url)
            bytes += data.count
            guard bytes <= PageLimits.bytes, found.count < PageLimits.files else {
                throw StartError.pagesUnusable(
                    named.path,
                    reason:
                        "it is larger than \(PageLimits.bytes) bytes or \(PageLimits.files) files"
                )
            }
            found[path] = data
        }
        guard found["index.html"] != nil else {
            throw StartError.pagesUnusable(
                named.path,
                reason: "its index.html is no file of its own: links are left out"
            )
        }
        return found
    }

    /// Where the pages lie when nobody says: beside the program, where packages put shared files, or
    /// in the source tree that the program was built in.
    static func standard() -> URL? {
        shared("web", inSources: "web", having: "index.html")
    }

    /// A file or folder that belongs to the program, looked for in those places.
    ///
    /// - Parameters:
    ///   - name: What it is called beside the program and among shared files.
    ///   - path: Where it lies in the source tree.
    ///   - content: A file that must lie in it.
    /// - Returns: The first that is there.
    static func shared(_ name: String, inSources path: String, having content: String = "") -> URL?
    {
        let own: String
        do {
            own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            // Without /proc only an option can say it.
            return nil
        }
        var folder = URL(filePath: own).deletingLastPathComponent()
        var places = [
            folder.appending(path: name),
            folder.deletingLastPathComponent().appending(path: "share/daybook/\(name)"),
        ]
        for _ in 0..<PageLimits.ancestors {
            folder = folder.deletingLastPathComponent()
            guard isSourceTree(folder) else { continue }
            places.append(folder.appending(path: path))
        }
        return places.first { place in
            let needed = content.isEmpty ? place : place.appending(path: content)
            return FileManager.default.fileExists(atPath: needed.path)
        }
    }

    private static func isSourceTree(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    }
}
