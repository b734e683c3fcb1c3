// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation

/// Fills a ledger with a made-up history; a tool for tests, no product.
///
/// `daybook-history FOLDER EVENTS SEED` writes a new ledger in which each event has its own time, weaves stories of every
/// kind, and prints how many events there are. A million take less than a minute (release build).
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap { UInt64($0) }
        guard let folder = arguments.first, arguments.count == 3, numbers.count == 2 else {
            FileHandle.standardError.write(Data("usage: daybook-history FOLDER EVENTS SEED\n".utf8))
            exit(2)
        }
        let ledger = URL(filePath: folder)
        let origin = "history.example/main"
        let keys = SeededKeys()
        var history = PlausibleHistory(
            seed: numbers[1],
            start: TestClock().now,
            events: Int(numbers[0])
        )
        try history.restore(into: ledger, origin: origin, keys: keys)
        // Opening makes the index.
        let log = try EventLog.open(
            ledger,
            configuration: LogConfiguration(origin: origin, keys: keys)
        )
        let size = log.size
        await log.close()
        print(size)
    }
}
