// SPDX-License-Identifier: Apache-2.0

/// Why a map was not read or made; each message says what to do.
public enum MapError: Error, Hashable, Sendable {
    /// A file cannot be read, or not be written.
    case file(String, reason: String)
    /// A file is not what its name says.
    case malformed(String, reason: String)
    /// The source of the world map is not here.
    case sourceMissing(String)
    /// A file is no set of tiles that can be served.
    case tileSetUnusable(String, reason: String)
}

extension MapError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .file(let path, let reason):
            "cannot use \(path): \(reason)"
        case .malformed(let path, let reason):
            "\(path) cannot be read: \(reason); get the file again"
        case .sourceMissing(let path):
            "there is no \(path); apt-get install -y --no-install-recommends libmagics++-data, or name another folder with --from"
        case .tileSetUnusable(let path, let reason):
            "\(path) is no set of tiles: \(reason); name an MBTiles file with --map"
        }
    }
}
