// SPDX-License-Identifier: Apache-2.0
/// How a log is opened.
public struct LogConfiguration: Sendable {
    /// The ledger's name, such as `daybook.example.org/main`: the `source` of entries and the origin of checkpoints.
    public var origin: String
    /// Opens and seals personal fields.
    public var keys: any PersonKeys
    /// Signs checkpoints; without it none are made.
    public var signer: NoteSigner?
    /// What the signer signed last; without it the folder's own checkpoints are believed.
    public var memory: SigningMemory?
    public var clock: LedgerClock
    /// The size of the LMDB maps at first, in bytes of address space; they grow with what is used.
    public var mapBytes: Int
    /// The most that a map may become: what the log can hold.
    public var mapBytesMax: Int
    /// See ``LogLimits/freeBytesMin``.
    public var freeBytesMin: Int
    /// How long a new event may wait until a checkpoint covers it.
    public var checkpointInterval: Duration

    /// How large the maps are.
    var map: MapSize { MapSize(bytes: mapBytes, bytesMax: mapBytesMax) }

    public init(
        origin: String,
        keys: any PersonKeys,
        signer: NoteSigner? = nil,
        memory: SigningMemory? = nil,
        clock: LedgerClock = .system,
        mapBytes: Int = LogLimits.mapBytes,
        mapBytesMax: Int = LogLimits.mapBytesMax,
        freeBytesMin: Int = LogLimits.freeBytesMin,
        checkpointInterval: Duration = .seconds(60)
    ) {
        self.origin = origin
        self.keys = keys
        self.signer = signer
        self.memory = memory
        self.clock = clock
        self.mapBytes = mapBytes
        self.mapBytesMax = mapBytesMax
        self.freeBytesMin = freeBytesMin
        self.checkpointInterval = checkpointInterval
    }
}
