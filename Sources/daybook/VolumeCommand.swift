// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// The command `daybook volume`.
struct VolumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume",
        abstract:
            "Add folders of recordings, empty them, take them away; a gateway may serve meanwhile.",
        discussion: """
            New recordings go to the volume with most room. Of one that is drained the finished recordings go to the others while \
            a gateway runs; what is being recorded there ends there first.
            """,
        subcommands: [List.self, Add.self, Drain.self, Use.self, Remove.self]
    )

    /// The command `daybook volume list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the volumes, with what they have and what they still take."
        )

        @OptionGroup var data: DataOptions

        func run() throws {
            let volumes = try VolumeChanges(folder: try data.folder()).list()
            if data.json { return try Terminal.printJSON(["volumes": volumes]) }
            for volume in volumes {
                let state = volume.fault ?? (volume.draining ? "draining" : "in use")
                print(
                    "\(volume.path)\t\(state)\t\(volume.files) files\t\(volume.bytes >> 20) MiB\t\(volume.freeBytes >> 20) MiB free"
                )
            }
        }
    }

    /// The command `daybook volume add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an empty folder, which the gateway's user may write."
        )

        @OptionGroup var data: DataOptions
        @Argument(help: "The folder.", completion: .directory) var path: String

        func run() throws { try change(.add, path, of: data) }
    }

    /// The command `daybook volume drain`.
    struct Drain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drain",
            abstract: "Record nothing new there, and move what is there to the others."
        )

        @OptionGroup var data: DataOptions
        @Argument(help: "The folder; media is the ledger's own.") var path: String

        func run() throws { try change(.drain, path, of: data) }
    }

    /// The command `daybook volume use`.
    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Record there again, after a drain."
        )

        @OptionGroup var data: DataOptions
        @Argument(help: "The folder; media is the ledger's own.") var path: String

        func run() throws { try change(.use, path, of: data) }
    }

    /// The command `daybook volume remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Take a drained, empty folder off the list."
        )

        @OptionGroup var data: DataOptions
        @Argument(help: "The folder.") var path: String
        @Flag(help: "Its disk is gone for good, with the recordings that were on it.")
        var lost = false

        func run() throws { try change(.remove, path, of: data, isLost: lost) }
    }

    private static func change(
        _ action: VolumeChanges.Action,
        _ path: String,
        of data: DataOptions,
        isLost: Bool = false
    ) throws {
        // A path that is given from where one stands.
        let full = path == "media" ? path : URL(filePath: path).standardizedFileURL.path
        try VolumeChanges(folder: try data.folder()).change(action, full, isLost: isLost)
    }
}
