// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder of its own for one test, removed with the object.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Nobody is left to hear that a scratch folder stayed behind.
        try? FileManager.default.removeItem(at: url)
    }
}
