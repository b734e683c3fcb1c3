// SPDX-License-Identifier: Apache-2.0
/// Turns readings of the two clocks into recorded time, which never goes back, and notices steps.
struct ClockWatch {
    /// The wall clock moved by itself.
    struct Step: Hashable {
        let by: Duration
        let followed: Bool
    }

    private var last: (wall: Timestamp, monotonic: Duration)?
    /// How far ahead of recorded time the wall clock is, after a large step that nobody has confirmed.
    private var heldBack: Duration = .zero
    private var lastRecorded: Timestamp

    init(lastRecorded: Timestamp) {
        self.lastRecorded = lastRecorded
    }

    /// Takes a reading.
    ///
    /// - Returns: The time to record, and the step that was noticed, if any.
    mutating func read(_ wall: Timestamp, _ monotonic: Duration) -> (time: Timestamp, step: Step?) {
        var step: Step?
        if let last {
            let moved = (wall - last.wall) - (monotonic - last.monotonic)
            if moved > LogLimits.clockStepMin || moved < .zero - LogLimits.clockStepMin {
                let followed = moved <= LogLimits.clockStepFollowedMax
                // Going back afterwards uses up what was held back before it is followed.
                if !followed {
                    heldBack += moved
                } else if moved < .zero {
                    heldBack = max(.zero, heldBack + moved)
                }
                step = Step(by: moved, followed: followed)
            }
        }
        last = (wall, monotonic)
        lastRecorded = max(lastRecorded, wall + (.zero - heldBack))
        return (lastRecorded, step)
    }

    /// Follows the wall clock from now on, because somebody confirmed that it is right.
    mutating func confirm() {
        heldBack = .zero
    }
}
