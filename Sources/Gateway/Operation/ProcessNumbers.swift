// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What this process takes of its machine, as `/proc` and the system tell it; missing numbers are not known.
struct ProcessNumbers: Sendable {
    var residentBytes: Double?
    var virtualBytes: Double?
    var cpuSeconds: Double?
    var openDescriptors: Double?
    var descriptorsMax: Double?
    var threads: Double?

    /// When this process began, in seconds since 1970.
    static let start = Date.now.timeIntervalSince1970 - uptime

    /// The numbers of now.
    static func now() -> ProcessNumbers {
        var numbers = ProcessNumbers()
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        let memory = text(of: "/proc/self/statm").split(separator: " ").compactMap(Self.number)
        if memory.count > 1 {
            (numbers.virtualBytes, numbers.residentBytes) = (memory[0] * page, memory[1] * page)
        }
        let fields = stat
        if fields.count > 17, let user = number(fields[11]), let system = number(fields[12]) {
            numbers.cpuSeconds = (user + system) / ticks
            numbers.threads = number(fields[17])
        }
        numbers.openDescriptors = descriptors().map { Double($0) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            numbers.descriptorsMax = Double(limit.rlim_cur)
        }
        return numbers
    }

    /// How many descriptors are open; `nil` when `/proc` does not tell.
    static func descriptors() -> Int? {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        } catch {
            return nil
        }
    }

    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))

    /// The fields of `/proc/self/stat` behind the name, which may hold spaces.
    private static var stat: [Substring] {
        let line = text(of: "/proc/self/stat")
        guard let name = line.lastIndex(of: ")") else { return [] }
        return line[line.index(after: name)...].split(separator: " ")
    }

    private static var uptime: Double {
        let machine = text(of: "/proc/uptime").split(separator: " ").first.flatMap(Self.number)
        guard let machine, stat.count > 19, let begun = number(stat[19]) else { return 0 }
        return max(0, machine - begun / ticks)
    }

    private static func number(_ text: Substring) -> Double? {
        NumberText.real(text, in: 0...Double.greatestFiniteMagnitude)
    }

    private static func text(of file: String) -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }
}
