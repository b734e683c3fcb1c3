// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Why the system refused something, and the way out, as every message about a file ends.
package enum SystemRefusal {
    /// Its words for an `errno`, and behind them what to do where that is known.
    package static func words(_ code: Int32) -> String {
        let reason = String(cString: strerror(code))
        return wayOut(of: code).map { "\(reason); \($0)" } ?? reason
    }

    private static func wayOut(of code: Int32) -> String? {
        switch code {
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: "check the name"
        case EACCES, EPERM: "do it as its owner, or have it allowed (ls -l says whose it is)"
        case EROFS: "its disk is mounted for reading only: mount it for writing"
        case ENOSPC, EDQUOT: "make room, then repeat"
        case EMFILE, ENFILE: "too many files are open: raise the limit (LimitNOFILE=, ulimit -n)"
        case EIO, ESTALE, ENODEV, ENXIO: "look at the disk, and at what dmesg says of it"
        case EISDIR: "it is a folder: name a file"
        default: nil
        }
    }
}
