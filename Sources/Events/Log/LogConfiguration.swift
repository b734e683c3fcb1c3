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
    /// The size of the LMDB maps in bytes: the most that the log can hold.
    public var mapBytes: Int
    /// See ``LogLimits/freeBytesMin``.
    public var freeBytesMin: Int
    /// How long a new event may wait until a checkpoint covers it.
    public var checkpointInterval: Duration

    public init(
        origin: String,
        keys: any PersonKeys,
        signer: NoteSigner? = nil,
        memory: SigningMemory? = nil,
        clock: LedgerClock = .system,
        mapBytes: Int = 256 << 30,
        freeBytesMin: Int = LogLimits.freeBytesMin,
        checkpointInterval: Duration = .seconds(60)
    ) {
        self.origin = origin
        self.keys = keys
        self.signer = signer
        self.memory = memory
        self.clock = clock
        self.mapBytes = mapBytes
        self.freeBytesMin = freeBytesMin
        self.checkpointInterval = checkpointInterval
    }
}
