// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reads a file of entries, one a line, as `daybook export` writes it.
final class ExportedFile {
    private let handle: FileHandle
    private let name: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var lineNumber = 0

    /// Opens a file; `-` stands for standard input.
    init(_ path: String) throws {
        name = path
        handle =
            path == "-"
            ? .standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    }

    /// Bytes of the file, if that is known.
    var byteCount: UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: name)
        return attributes?[.size] as? UInt64
    }

    /// The next line without its line end; `nil` at the end of the file.
    ///
    /// - Throws: ``ExportedFileError`` when a line is too long, is not as it was written, or the last one has no end.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[start..<end])
                start = end + 1
                lineNumber += 1
                guard line.count <= ReplayLimits.lineBytesMax else { throw tooLong }
                if let fault = line.isEmpty
                    ? "line \(lineNumber) is empty"
                    : ChangedText.fault(in: line, number: lineNumber)
                {
                    throw changed(fault)
                }
                return line
            }
            searched = buffer.count
            guard !isAtEnd else {
                guard start == buffer.count else {
                    throw ExportedFileError(
                        "\(name): line \(lineNumber + 1) has no end: the file was cut off"
                    )
                }
                return nil
            }
            guard buffer.count - start <= ReplayLimits.lineBytesMax else { throw tooLong }
            buffer.removeFirst(start)
            searched -= start
            start = 0
            let more = try handle.read(upToCount: ReplayLimits.readBytes) ?? Data()
            isAtEnd = more.isEmpty
            buffer.append(contentsOf: more)
        }
    }

    /// That the line read last, or another, is not as an export writes it.
    func changed(_ fault: String) -> ExportedFileError {
        ExportedFileError(
            "\(name): \(fault): a program changed the file since daybook export wrote it; nothing was taken from it; copy it as it is, or export again"
        )
    }

    private var tooLong: ExportedFileError {
        ExportedFileError(
            "\(name): line \(lineNumber + 1) is longer than \(ReplayLimits.lineBytesMax) bytes"
        )
    }
}

/// Why a file of entries could not be read.
struct ExportedFileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
