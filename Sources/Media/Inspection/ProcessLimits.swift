// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Takes from this process what an inspection does not need.
///
/// A limit that the system refuses to set is no reason to stop: the parent's own limits hold as well.
enum ProcessLimits {
    static func confine() {
        closeInherited()
        set(RLIMIT_CORE, 0)
        set(RLIMIT_FSIZE, 0)
        set(RLIMIT_NOFILE, 16)
        set(RLIMIT_AS, mappedBytes() + UInt(MediaLimits.inspectionMemoryBytesMax))
    }

    /// Lets the process use so much more processor time than it has used, and be killed beyond that.
    static func allowCPU(seconds: Int) {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(used + seconds + 1))
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    }

    /// Closes what the parent did not mark to be closed: its sockets and files are not this process's business.
    private static func closeInherited() {
        do {
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            for descriptor in open.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
                close(descriptor)
            }
        } catch {
            for descriptor in STDERR_FILENO + 1..<1024 { close(descriptor) }
        }
    }

    private static func set(_ resource: __rlimit_resource, _ value: UInt) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }

    /// The address space in use: the first number of `statm`, in pages.
    private static func mappedBytes() -> UInt {
        let statm = FileManager.default.contents(atPath: "/proc/self/statm") ?? Data()
        let pages = String(decoding: statm, as: UTF8.self).split(separator: " ").first.flatMap {
            UInt($0)
        }
        return (pages ?? 262_144) * UInt(sysconf(Int32(_SC_PAGESIZE)))
    }
}
