// SPDX-License-Identifier: Apache-2.0

/// Every limit of the delivery of alerts, with its unit.
enum DeliveryLimits {
    /// Messages of a channel that are on their way at once; further ones wait.
    static let messagesAtOnce = 8
    /// Messages a minute of a sender that is set up without a number.
    static let perMinute = 60
    /// Messages of a channel that a contact gets in ``contactInterval``; critical alerts are not counted against it.
    static let messagesPerContact = 5
    static let contactInterval = Duration.seconds(900)
    /// The first pause before another attempt; it doubles with each one, up to ``retryMax``, and varies by a fifth.
    static let firstRetry = Duration.seconds(5)
    static let retryMax = Duration.seconds(900)
    /// The pause where the sender's settings are at fault: somebody has to mend them.
    static let misconfiguredRetry = Duration.seconds(300)
    /// How long an SMS whose answer was lost waits for a report before it is sent again.
    static let unknownSMSRetry = Duration.seconds(120)
    /// How long the next SMS of a contact waits for the centre to report that it took the one before.
    static let reportWait = Duration.seconds(30)
    /// To a message centre: for the connection, and again for the answer.
    static let answerWait = Duration.seconds(30)
    /// Parts of one SMS; a longer text is cut.
    ///
    /// A message centre takes 10 by default.
    static let partsMax = 6
    /// Characters of an alert's words as somebody writes them.
    static let textMax = 1_000
    /// Attempts of a sender that its page shows.
    static let shownAttempts = 20
    /// Bytes of what somebody answers by SMS that are kept.
    static let answerBytesMax = 2_048
}
