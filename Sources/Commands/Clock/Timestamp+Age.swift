// SPDX-License-Identifier: Apache-2.0
import Events

extension Timestamp {
    /// Whether less than a window has passed since an earlier moment: the one way in which decisions ask what is recent.
    ///
    /// What was recorded while the command waited for its turn lies a little ahead of the command's clock, and is as
    /// recent as can be. What lies further ahead was recorded by another clock; nobody knows how old it is, and it is
    /// not recent.
    func isLess(than window: Duration, after earlier: Timestamp) -> Bool {
        let age = self - earlier
        return age < window && age >= .zero - CommandLimits.turnWaitMax
    }
}
