// SPDX-License-Identifier: Apache-2.0

/// How a tile lies in its file.
public enum TileCompression {
    /// Whether bytes begin as gzip; vector tiles usually do.
    public static func isGzip(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x1F, 0x8B])
    }
}
