// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Gateway

extension TestGateway {
    /// Writes into a read model of a ledger that nobody serves, as whoever can write the folder can.
    static func forge(_ model: String, in folder: TemporaryFolder, _ statements: String...) throws {
        let read = folder.url.appending(path: "ledger/read")
        let names = try FileManager.default.contentsOfDirectory(atPath: read.path)
        let name = try #require(
            names.first { name in
                name.hasPrefix("\(model)-") && name.hasSuffix(".sqlite")
                    && name.dropFirst(model.count + 1).first?.isNumber == true
            }
        )
        let file = read.appending(path: name).resolvingSymlinksInPath()
        let database = try DatabaseQueue(path: file.path)
        try database.write { database in
            for statement in statements { try database.execute(sql: statement) }
        }
        try database.close()
    }
}
