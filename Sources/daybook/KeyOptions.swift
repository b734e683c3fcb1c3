// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// How the keys of people are found; without them sealed fields stay sealed.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File with the master key, which opens sealed fields with DIR/keys. (default: $DAYBOOK_MASTER_KEY_FILE, or the key itself in $DAYBOOK_MASTER_KEY)",
            valueName: "file"
        ),
        completion: .file()
    )
    var masterKey: String?
}
