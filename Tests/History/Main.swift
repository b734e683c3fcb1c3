// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation

/// Fills a ledger with a made-up history; a tool for tests, no product.
///
/// `daybook-history FOLDER EVENTS SEED`
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst().compactMap { UInt64($0) }
        guard let folder = arguments.first, arguments.count == 3, numbers.count == 2 else {
            FileHandle.standardError.write(Data("usage: daybook-history FOLDER EVENTS SEED\n".utf8))
            exit(2)
        }
        // Its clock moves with the history, so that hours pass in it.
        let clock = TestClock()
        let log = try EventLog.open(
            URL(filePath: folder),
            configuration: LogConfiguration(
                origin: "history.example/main",
                keys: SeededKeys(),
                clock: clock.ledgerClock
            )
        )
        var history = PlausibleHistory(seed: numbers[1], start: clock.now, events: Int(numbers[0]))
        try await history.record(in: log, clock: clock)
        let size = log.size
        await log.close()
        print(size)
    }
}
