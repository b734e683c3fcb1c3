// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// How options name a file that is put in place whole, over whatever has the name.
enum OutputOption {
    /// Refuses what is there and no file: a device or a pipe would be taken away from everybody on the machine.
    ///
    /// - Parameter path: What was asked for; a symbolic link counts as what it leads to.
    /// - Returns: The same.
    /// - Throws: What a person should name instead.
    @Sendable static func file(_ path: String) throws -> String {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return path }
        throw ValidationError(
            "\(path) is not a file: name one, or a new one; what replaces it would take it away"
        )
    }
}
