// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// Every file of a folder and its digest: what a refused command must leave as it was.
///
/// Locks are no part of it: whoever looks takes one.
struct FolderDigest: Equatable, CustomStringConvertible {
    private var files: [String: String] = [:]

    init(of folder: URL) throws {
        let names = FileManager.default.enumerator(atPath: folder.path)
        while let name = names?.nextObject() as? String {
            let place = folder.appending(path: name)
            guard !["lock", "lock.mdb"].contains(place.lastPathComponent), !name.hasPrefix("."),
                try place.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            else { continue }
            files[name] = SHA256.hash(data: try Data(contentsOf: place)).description
        }
    }

    /// What differs from another, by name.
    func changes(since before: FolderDigest) -> [String] {
        Set(files.keys).union(before.files.keys).filter { files[$0] != before.files[$0] }.sorted()
    }

    var description: String { files.keys.sorted().joined(separator: ", ") }
}
