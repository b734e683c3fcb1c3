// SPDX-License-Identifier: Apache-2.0
/// Every limit of this module, with its unit.
public enum CommandLimits {
    /// How often a command is decided before its caller is told to come back.
    public static let attemptsMax = 16
    /// Commands that wait for their turn on one subject.
    public static let waitingPerSubjectMax = 1_024
    /// Folded states kept in memory.
    public static let foldsMax = 4_096
    /// Things of which it is remembered whose they are.
    static let ownersMax = 16_384
    /// Events read at a time while folding; a state that has more to read is read on a thread of its own.
    public static let pageEvents = 1_024
    /// How often a command begins again because a state had to be read; then it reads by itself.
    static let coldFoldsMax = 64

    /// Other sessions' owners whom the owner of one has to answer at once.
    public static let proposalsAtOnceMax = 4
    /// Proposals that are kept of one session, those that were declined a while ago, too.
    public static let proposalsKeptMax = 64
    /// How long who was declined may not propose the same two sessions again.
    public static let proposalPause: Duration = .seconds(300)
    /// The time between creating a session for a caller and its expiry, unless a policy says otherwise.
    public static let startLimitSeconds = 120
    /// How long a colleague may take to answer the offer of a session.
    public static let offerSeconds = 60
    /// How long a session is kept for an owner who was signed out, unless a policy says otherwise.
    public static let takeOverSeconds = 120
    /// What a policy may make of that at most: a shift.
    public static let takeOverSecondsMax = 28_800
    /// Open sessions of one operator, unless a policy says otherwise.
    public static let openSessionsPerOperator = 1
    /// What a policy may allow at most: signing out reads and writes them all in one append.
    public static let openSessionsPerOperatorMax = 16
    /// How long a command may have waited for its turn; what is recorded further ahead of its clock had another clock.
    public static let turnWaitMax: Duration = .seconds(10)
    /// One signal of a party and activity in this time.
    public static let signalInterval: Duration = .seconds(5)
    /// One `session.resumed` of a party in this time.
    public static let resumeInterval: Duration = .seconds(60)
    /// One `stream.viewed` of a viewer and mode in this time.
    public static let viewingInterval: Duration = .seconds(60)
    /// One check-in of a guard at a point in this time, unless a policy says otherwise.
    public static let checkInIntervalSeconds = 300
    /// How late a scan that was kept on a phone may come: a shift and the way home.
    public static let checkInLateMax: Duration = .seconds(86_400)
    /// How far ahead of ours a phone's clock may be.
    public static let checkInAheadMax: Duration = .seconds(300)
    /// Streams of one session; closing it reads and writes every one that is live, in one append.
    public static let streamsPerSessionMax = 24

    /// Sessions that move when incidents are merged; each is a condition of the append.
    public static let sessionsPerMergeMax = 40
    /// Conditions of one append that are of who may ask, before those of what is asked.
    public static let conditionsOfRightMax = 160

    /// Notes of one incident.
    public static let notesPerIncidentMax = 1_000

    /// A chat message.
    public static let messageBytesMax = 8_192
    /// A sender's own id for a message.
    public static let temporaryIDBytesMax = 128
    /// A note, an address, a reason in words.
    public static let noteBytesMax = 4_096
    /// A short word: a disposition, a purpose, a template, a species, a cause.
    public static let wordBytesMax = 128
    /// Photos of one report that its reporter sends.
    public static let photosMax = 16
    /// Photos of one report, those of staff among them.
    public static let photosOfReportMax = 64
    /// Written updates of one report.
    public static let updatesOfReportMax = 1_000
    /// A telephone number, an address, a link of an agency.
    static let agencyTextBytesMax = 512
    /// Sorts of animals that one agency takes.
    static let agencyTypesMax = 64
    /// People who work for one agency; each of them is told of its reports.
    public static let agencyMembersMax = 100
    /// How long an alert may be worth sending, in seconds: a week.
    public static let alertTimeToLiveSecondsMax = 604_800
    /// A host, an address, a user name or a wrapped password of a sender.
    static let senderTextBytesMax = 1_024
    /// Messages a minute that a sender may be given.
    static let messagesPerMinuteMax = 6_000
    /// How a template is called.
    static let templateNameBytesMax = 40
    /// The subject line of an alert's e-mail.
    static let alertSubjectBytesMax = 512
    /// Points of one tour; a round's end may write each of them twice, in one append.
    public static let pointsPerTourMax = 64
    /// How long behind its start a point of a round may be due: a day.
    public static let roundSecondsMax = 86_400
    /// Starts of a tour within a day.
    public static let tourStartsPerDayMax = 48
    /// How long before its scheduled start a round counts for it.
    public static let tourStartEarly = Duration.seconds(900)
    /// For how long after it a round counts for it at least, however short the tour's grace.
    public static let tourStartGraceMin = Duration.seconds(300)
    /// How many codes a patrol point has in turn.
    public static let patrolCodesMax = 200
    /// How far from a patrol point a scan may ever count, in metres.
    public static let patrolRadiusMetresMax = 10_000.0
    /// People whom one hold names; each is a condition of its append.
    public static let personsPerHoldMax = 48
    /// People who take turns in one rota.
    static let membersPerRotaMax = 64
    /// Days between two handovers of a rota.
    static let rotaDaysMax = 56
    static let stepsPerChainMax = 10
    /// People, rotas and roles that one step calls.
    static let targetsPerStepMax = 20
    /// People whom one step of a call-out may reach.
    public static let peoplePerStepMax = 100
    /// How long a step of a call-out waits for an answer.
    static let stepWaitSeconds = 30...86_400
    /// Browsers of one account that take pushes.
    static let browsersPerUserMax = 8
    /// How far ahead somebody may be off duty; it must end by itself.
    static let offDutyMax = Duration.seconds(30 * 86_400)
    /// How many contacts a citizen has at most (source 4, UC-1).
    public static let contactsMax = 10
    /// How many calls for help a citizen is shown.
    public static let sosKeptMax = 50
    /// How many a citizen raises within a day: each may cost an SMS for each contact.
    public static let sosPerDayMax = 30
    /// How many texts for everybody there are at most, those that are not shown among them.
    static let contentsMax = 200
    /// The Markdown of one.
    public static let contentBytesMax = 8_192
    /// For how long contacts see where somebody is who does not end the call for help, and for how long its messages are worth sending.
    public static let sosLife = Duration.seconds(86_400)
    /// For how long after a call's end a contact is not removed before the message of the end was sent.
    public static let endToldWithin = Duration.seconds(600)
}
