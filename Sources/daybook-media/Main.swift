// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting

/// A tool for tests and for making fixtures; no product.
@main
enum Main {
    static let usage = """
        usage: daybook-media inspect-worker
               daybook-media attempt confined|free WHAT OBJECT       nothing, open, socket, signal, program or code
               daybook-media camera WIDTH HEIGHT FRAMES FILE.y4m     numbered pictures, as a fake camera takes them
               daybook-media numbers FILE.webm                       the numbers on the pictures, one a line
               daybook-media archive OUT.webm PART.webm...           a growing recording of parts
               daybook-media finalized OUT.webm PART.webm...         a complete one
               daybook-media inspect RECORDING.webm                  decodes all frames in a child process

        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            exit(try await run(arguments))
        } catch {
            FileHandle.standardError.write(Data("daybook-media: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws -> Int32 {
        switch (arguments.first, arguments.count) {
        case ("inspect-worker", 1): return InspectionWorker.run()
        case ("attempt", 4):
            guard let attempt = Attempt(rawValue: arguments[2]) else { return refuse() }
            return attempt.run(arguments[3], isConfined: arguments[1] == "confined")
        case ("camera", 5):
            let numbers = arguments[1...3].compactMap { Int($0) }
            guard numbers.count == 3 else { return refuse() }
            try Camera(width: numbers[0], height: numbers[1], frames: numbers[2]).write(
                to: arguments[4]
            )
            return 0
        case ("numbers", 2):
            try Numbers.printAll(of: arguments[1])
            return 0
        case ("archive", 3...), ("finalized", 3...):
            let finalizes = arguments[0] == "finalized"
            try Archive.make(of: arguments[2...], at: arguments[1], finalizes: finalizes)
            return 0
        case ("inspect", 2):
            try await Archive.inspect(arguments[1])
            return 0
        default: return refuse()
        }
    }

    private static func refuse() -> Int32 {
        FileHandle.standardError.write(Data(usage.utf8))
        return 2
    }
}
