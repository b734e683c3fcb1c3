// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Maps

/// The command `daybook basemap`.
struct BasemapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "basemap",
        abstract: "Make a map that needs no internet.",
        subcommands: [World.self],
        defaultSubcommand: World.self
    )

    /// The command `daybook basemap world`.
    struct World: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "world",
            abstract: "The world at 1:10 million, of Natural Earth, as an MBTiles file for --map.",
            discussion:
                "Reads the shapefiles of Debian's package libmagics++-data; they are in the public domain."
        )

        @Option(
            name: [.short, .customLong("output")],
            help: "What to write.",
            completion: .file(extensions: ["mbtiles"]),
            transform: OutputOption.file
        )
        var output = "world.mbtiles"

        @Option(
            help: "The folder of the shapefiles. (default: /usr/share/magics/10m)",
            completion: .directory
        )
        var from: String?

        // What is finer than 7, the source does not know.
        @Option(
            help: "The finest zoom, 0 to 7; each one less makes it four times as quick.",
            transform: NumberOption.reading("--zoom", in: 0...7)
        )
        var zoom = 7

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let map = WorldMap(from: from.map { URL(filePath: $0) }, zoomMost: zoom)
            let summary = try map.write(to: URL(filePath: output))
            if json {
                try Terminal.printJSON(summary)
            } else {
                print(
                    "\(output): \(summary.tiles) tiles of \(summary.features) features, \(summary.bytes / 1024) KiB"
                )
            }
        }
    }
}
