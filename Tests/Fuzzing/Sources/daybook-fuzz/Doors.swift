// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation

// What libFuzzer calls (LLVM's documentation of libFuzzer, "Fuzz Target"); a tool for tests, no product.
//
// `daybook-fuzz PARSER FOLDER [OPTION …]`: the folder keeps inputs between runs and gets right ones first; options are
// libFuzzer's, such as `-max_total_time=60`.

/// Takes the parser's name out of the arguments before libFuzzer reads them.
@_cdecl("LLVMFuzzerInitialize")
func begin(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let given = CommandLine.arguments
    do {
        guard given.count > 2, let target = try FuzzTarget(given[1]) else {
            let names = FuzzTarget.names.joined(separator: " ")
            print("usage: daybook-fuzz PARSER FOLDER [OPTION …]\nparsers: \(names)")
            exit(2)
        }
        try target.plant(in: URL(filePath: given[2]))
        chosen = target
    } catch {
        print("daybook-fuzz: \(error)")
        exit(2)
    }
    for place in 1..<Int(count.pointee) {
        arguments.pointee[place] = arguments.pointee[place + 1]
    }
    count.pointee -= 1
    return 0
}

/// Gives the parser one input.
@_cdecl("LLVMFuzzerTestOneInput")
func examine(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let chosen else { preconditionFailure("no parser was chosen") }
    do {
        _ = try chosen.examine(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    } catch {
        // What libFuzzer takes for a crash: it keeps the input and stops.
        fatalError("\(chosen.name): \(error)")
    }
}

// Written once before libFuzzer, which has one thread, begins.
private nonisolated(unsafe) var chosen: FuzzTarget?
