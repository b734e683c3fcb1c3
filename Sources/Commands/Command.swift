// SPDX-License-Identifier: Apache-2.0
public import Events

/// One request to the ledger: what it reads, what it decides, and what it tells its caller.
///
/// A command is a value with everything that was asked; `CommandContext` brings who, when and chance.
/// Reading and deciding are synchronous and depend on nothing else, so the same command over the same
/// events decides the same, and the handler may decide again when the ledger moved meanwhile.
/// What comes again under the same id is the same command, and gets the first answer; another one is refused. But only
/// what was recorded is remembered: a command that found it so ``Decision/already(_:_:)``, or was refused without a
/// record, leaves nothing, and is decided anew when it comes again.
/// A new command is one new file: conform to this protocol and hand it to the handler.
public protocol Command: Sendable {
    /// Everything of the ledger that the decision depends on, folded.
    associatedtype State
    /// The expected ways to say no.
    associatedtype Refusal: CommandRefusal
    /// What the caller is told beside the receipt.
    associatedtype Outcome: Sendable = Void

    /// What it is about: faults name it, and `If-Match` compares its revision.
    var subject: Subject { get }

    /// What the command is called for good: with it begins the hash by which a repetition is known.
    static var name: String { get }

    /// Whose turn it takes: commands of one lane are handled one after another; `nil` for one that reads nothing and so
    /// need not wait.
    var lane: Subject? { get }

    /// Whose all of its events are: the organisation that has this; `nil`, and what has no event, is the asker's.
    ///
    /// Where the ledger's admin does something to what another organisation has, it is written there.
    var owned: Subject? { get }

    /// Reads what the decision depends on; whatever is read becomes a condition of the append.
    func read(_ ledger: inout LedgerView) throws -> State

    /// Decides; called again, with the same context, when what was read is no longer so.
    func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome>

    /// What the recorded facts mean for the caller; the same now and when the command is repeated
    /// after a restart, because only the facts speak.
    ///
    /// - Throws: The refusal, where the facts are the record of one ("refused and recorded").
    /// - Returns: `nil` if no command of this type can have recorded them.
    func outcome(of recorded: [Write]) throws(Refusal) -> Outcome?
}

extension Command {
    /// Most take their turn on what they are about.
    public var lane: Subject? { subject }

    /// Most write about what they are about.
    public var owned: Subject? { subject }
}

extension Command {
    /// The name of its type; whoever renames that keeps this.
    public static var name: String { "\(Self.self)" }
}

extension Command where Outcome == Void {
    /// There is nothing to tell but that it is done.
    public func outcome(of recorded: [Write]) throws(Refusal) -> Void? { () }
}
