// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The folders in which recordings lie: the ledger's own, `media`, and those that were added to it.
///
/// The log names a recording below whichever of them has its file. `volumes.json` beside the log lists them; without it there
/// is the own one alone.
public struct VolumeList: Codable, Hashable, Sendable {
    /// One folder of recordings.
    public struct Volume: Codable, Hashable, Sendable {
        /// A full path; of the ledger's own one `media`.
        public let path: String
        /// Whether it takes nothing new, and what it has goes to the others.
        public var isDraining: Bool

        public init(path: String, isDraining: Bool = false) {
            self.path = path
            self.isDraining = isDraining
        }

        /// Where it lies.
        ///
        /// - Parameter ledger: The ledger's folder.
        /// - Returns: The full path.
        public func folder(of ledger: URL) -> URL {
            path.hasPrefix("/") ? URL(filePath: path) : ledger.appending(path: path)
        }

        enum CodingKeys: String, CodingKey {
            case path
            case isDraining = "draining"
        }
    }

    /// The file beside the log.
    public static let fileName = "volumes.json"
    /// The name of the ledger's own one.
    public static let own = "media"

    /// The own one first.
    public var volumes = [Volume(path: VolumeList.own)]

    public init() {}

    /// Reads the list of a ledger.
    ///
    /// - Parameter ledger: The ledger's folder.
    /// - Returns: The list; of a ledger without a file, its own folder.
    /// - Throws: What reading and decoding throw.
    public static func read(of ledger: URL) throws -> VolumeList {
        let file = ledger.appending(path: fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return VolumeList() }
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// The folders of a ledger, those first that are not emptied.
    ///
    /// - Parameter ledger: The ledger's folder.
    /// - Returns: One each.
    public func folders(of ledger: URL) -> [URL] {
        let (kept, draining) = (volumes.filter { !$0.isDraining }, volumes.filter(\.isDraining))
        return (kept + draining).map { $0.folder(of: ledger) }
    }

    /// Where a file lies; where none has it, its place in the ledger's own folder.
    ///
    /// A file that is moved is in two of them for a moment, whole in both. Of two that differ the longer one counts: a
    /// camera's hour that began anew while its disk was away is shorter than what was recorded of it.
    ///
    /// - Parameters:
    ///   - file: Its name below a folder of recordings.
    ///   - ledger: The ledger's folder.
    /// - Returns: The full path.
    public func path(of file: String, of ledger: URL) -> URL {
        var found: (place: URL, bytes: off_t)?
        for folder in folders(of: ledger) {
            let place = folder.appending(path: file)
            var facts = stat()
            guard lstat(place.path, &facts) == 0 else { continue }
            if found.map({ facts.st_size > $0.bytes }) ?? true { found = (place, facts.st_size) }
        }
        return found?.place ?? ledger.appending(path: Self.own).appending(path: file)
    }
}
