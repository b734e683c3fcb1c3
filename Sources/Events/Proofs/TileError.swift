// SPDX-License-Identifier: Apache-2.0

/// Why a tile, an entry bundle or a path to one cannot be used.
public enum TileError: Error, Hashable {
    /// A path names no tile.
    case path(String)
    /// A tile has fewer bytes than its width, or is cut inside a hash.
    case length(Tile, byteCount: Int)
    /// An entry does not fit the 16-bit length of a bundle.
    case entryTooLong(byteCount: Int)
    /// A bundle ends inside the entry after this many.
    case bundleTruncated(entries: Int)
    /// A bundle has more than 256 entries.
    case bundleTooLong
}

extension TileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .path(let path):
            """
            tile path “\(path.prefix(100))” refused: it is not of the form \
            tile/<L>/<N>[.p/<W>] or tile/entries/<N>[.p/<W>], with N as x001/x234/067
            """
        case .length(let tile, let byteCount):
            """
            tile \(tile.path) unreadable: \(byteCount) bytes, \(tile.byteCount) needed; \
            rebuild the tiles from the entries
            """
        case .entryTooLong(let byteCount):
            """
            entry of \(byteCount) bytes refused for an entry bundle: the most is \
            \(ProofLimits.entryBytesMax); keep large data in a blob
            """
        case .bundleTruncated(let entries):
            "entry bundle unreadable: it ends inside the entry after \(entries); fetch it again"
        case .bundleTooLong:
            "entry bundle refused: more than 256 entries; fetch one bundle at a time"
        }
    }
}
