// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The files of others, looked for and read once, at the start.
///
/// Each is served under a name that has its digest, so that a browser may keep it for ever.
struct VendorShelf: Sendable {
    /// A file that is here.
    struct Item: Sendable {
        let file: VendorFile
        let path: String
        let page: PageFile
        /// Its last path component: `leaflet.0a1b2c3d.js`.
        let servedAs: String
    }

    let items: [Item]
    /// Files that no folder has; pages do without them, and show less.
    let missing: [VendorFile]

    /// Nothing at all.
    static let empty = VendorShelf(items: [], missing: [])

    private init(items: [Item], missing: [VendorFile]) {
        self.items = items
        self.missing = missing
    }

    /// Looks for every file of ``VendorFile/all``.
    ///
    /// - Parameters:
    ///   - assets: A folder that goes before those of packages; `nil` for none.
    ///   - roots: The folders of packages.
    init(assets: URL? = nil, roots: [String] = VendorFile.roots) {
        let folders = (assets.map { [$0.path] } ?? []) + roots
        var items: [Item] = []
        var missing: [VendorFile] = []
        for file in VendorFile.all {
            let found = folders.lazy.compactMap { Self.item(file, in: $0) }.first
            if let found { items.append(found) } else { missing.append(file) }
        }
        self.init(items: items, missing: missing)
    }

    /// The file that is served under a name.
    func page(servedAs name: String) -> PageFile? {
        items.first { $0.servedAs == name }?.page
    }

    /// What is to be typed so that nothing is missing any more; `nil` when nothing is.
    var remedy: String? {
        let packages = Set(missing.map(\.package)).sorted()
        guard !packages.isEmpty else { return nil }
        return "apt-get install -y --no-install-recommends \(packages.joined(separator: " "))"
    }

    private static func item(_ file: VendorFile, in folder: String) -> Item? {
        let path = "\(folder)/\(file.path)"
        // What cannot be read is as good as not there: the next folder may have it.
        guard let data = FileManager.default.contents(atPath: path),
            data.count <= PageLimits.libraryFileBytes,
            let page = PageFile(data, extension: file.kind)
        else { return nil }
        let digest = SHA256Digest(of: data).text.prefix(8)
        return Item(
            file: file,
            path: path,
            page: page,
            servedAs: "\(file.name).\(digest).\(file.kind)"
        )
    }
}
