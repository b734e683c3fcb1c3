// SPDX-License-Identifier: Apache-2.0
import Media

/// The work of the process that decodes video for `verify --decode`, and for the gateway.
public enum InspectionWork {
    /// Decodes what standard input asks for until it ends.
    ///
    /// - Returns: The exit code.
    public static func run() -> Int32 { InspectionWorker.run() }
}
