// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import Species

/// The right projector with one thing wrong about how it applies events.
protocol AlmostRightProjector: Projector {}

extension AlmostRightProjector {
    var right: SpeciesProjector { SpeciesProjector() }
    var identity: ProjectorIdentity { right.identity }
    var tables: [Table] { right.tables }
    var handlers: Handlers { right.handlers }
}
