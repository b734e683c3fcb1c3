// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many files and connections this process may have open.
enum DescriptorLimit {
    /// Raises the limit as far as the system lets us.
    ///
    /// - Parameter needed: How many there must be.
    /// - Throws: ``StartError/tooFewDescriptors(allowed:needed:)``.
    static func raise(toAtLeast needed: Int) throws(StartError) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(resource, &limit)
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        guard limit.rlim_cur >= UInt(needed) else {
            throw .tooFewDescriptors(allowed: Int(clamping: limit.rlim_cur), needed: needed)
        }
    }
}
