// SPDX-License-Identifier: Apache-2.0
public import Events

/// What messages of one purpose say in one language, as somebody wrote it last.
public struct Template: Fold {
    /// Name and language.
    public struct Key: Hashable, Sendable {
        public let name: String
        public let language: String

        public init(_ name: String, _ language: String) {
            (self.name, self.language) = (name, language)
        }
    }

    public let id: Key
    /// `nil` where nobody wrote one, or it was given up again.
    public private(set) var definition: TemplateDefined?

    public init(_ id: Key) {
        self.id = id
    }

    public static func source(of id: Key) -> FoldSource {
        .subject(.template(id.name, id.language))
    }

    /// Takes in an event of the template's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .alert(.templateDefined(let defined)) = event.fact else { return }
        definition = defined.isRetired ? nil : defined
    }
}

/// Writes what messages of one purpose say in one language, or gives that up.
public struct DefineTemplate: Command {
    public let definition: TemplateDefined

    public init(_ definition: TemplateDefined) {
        self.definition = definition
    }

    /// Why it was not written.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .template(definition.name, definition.language) }

    public func read(_ ledger: inout LedgerView) throws -> Template {
        try ledger.read(Template.self, Template.Key(definition.name, definition.language))
    }

    public func decide(
        _ state: Template,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            definition.name.isPlainName,
            "name",
            definition.name,
            allowed: .plainName,
            else: Refusal.unacceptable
        )
        try InputFault.check(language: definition.language, else: Refusal.unacceptable)
        try InputFault.check(
            optional: definition.subject,
            "subject",
            bytesMax: CommandLimits.alertSubjectBytesMax,
            else: Refusal.unacceptable
        )
        if !definition.isRetired {
            try InputFault.check(
                definition.text,
                "text",
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        let isSame = definition.isRetired ? state.definition == nil : state.definition == definition
        guard !isSame else { return .already(()) }
        return .record([Write(subject, .alert(.templateDefined(definition)))])
    }
}
