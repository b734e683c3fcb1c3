// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many files of a folder hold a text, as bytes; SQLite's shared memory is left out, for it holds no rows.
func traces(of text: String, in folder: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { !$0.path.hasSuffix("-shm") }
        .reduce(0) { count, url in
            let data = try Data(contentsOf: url)
            return count + (data.range(of: Data(text.utf8)) == nil ? 0 : 1)
        }
}
