// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import Threads

/// Every limit of the gateway's door, with its unit; each has its own error.
///
/// The defaults serve a centre of some hundred operators on two cores. A test passes smaller
/// ones; nothing else differs between a test and production.
struct GatewayLimits: Sendable {
    /// What holds for connections.
    var connections = ConnectionLimits()
    /// How long those who are connected have to end when the gateway stops; then they are cut off.
    var serverEnding = Duration.seconds(3)
    /// How long all parts have; then what still works is cancelled.
    var ending = Duration.seconds(8)
    /// Bytes of one header field, and of all of them together.
    var headerBytes = 32 * 1024
    /// Header fields of one request.
    var headerFields = 100

    /// Views as of a point that are made at once, each on its thread.
    static let pastViewsAtOnce = 2
    /// Of these, views of one holder, so that another's never waits for two of the same.
    static let pastViewsOfHolderAtOnce = 1
    /// Requests that wait for one of these threads; further ones hear 503.
    static let pastViewsWaiting = 14
    /// Requests of one holder that are made or wait, a quarter of all; further ones hear 429.
    static let pastViewsOfHolder = 4
    /// Views as of a point that are kept for whoever asks again.
    static let pastViewsKept = 8
    /// Entries of the largest view that is kept.
    static let pastViewEntriesKept = 20_000

    /// Threads on which feeds walk the log; one holder has one of them at a time.
    static let logWalksAtOnce = 2
    /// Entries that a feed looks at before others have their turn.
    static let feedPageEntries = 256

    /// Bytes of a body that is decoded as JSON: every command.
    var commandBodyBytes = 256 * 1024
    /// How long such a body may take to come.
    var commandArrival = Duration.seconds(10)
    /// Bytes of a picture in a chat.
    var pictureBytes = 8 * 1024 * 1024
    /// Reports of strangers from one address: how many at once, how many a second thereafter.
    var reportsOfAddress = Rate(burst: 20, perSecond: 0.05)
    /// Codes by SMS for one number: a burst, and then one in 20 minutes.
    var codesOfNumber = Rate(burst: 3, perSecond: 1 / 1_200)
    /// Codes by SMS that one address asks for.
    var codesOfAddress = Rate(burst: 10, perSecond: 1 / 120)
    /// Codes by SMS that strangers ask for in all: what the centre pays at most.
    var codesOfAll = Rate(burst: 100, perSecond: 1 / 6)
    /// Messages by which one citizen tells contacts that they are some.
    var introductionsOfCitizen = Rate(burst: 20, perSecond: 1 / 4_320)
    /// Contacts whom one citizen removes: with each a key is destroyed, and the read models are written anew.
    var removalsOfCitizen = Rate(burst: 20, perSecond: 1 / 4_320)
    /// Public pages and photos for one address: a page with all its photos at once, and a family behind one address.
    var publicPagesOfAddress = Rate(burst: 400, perSecond: 10)
    /// The largest number that a stranger's proof of work may be: about a second of a telephone's work.
    var proofOfWorkMax = 1 << 20
    /// Pictures of one signed-in user or device, or of one address.
    var picturesOfPrincipal = Rate(burst: 20, perSecond: 0.5)
    /// Pictures that are taken in at once, of all senders: each is in memory some four times.
    var pictureUploads = 8
    /// Of these, pictures of one signed-in user or device.
    var pictureUploadsOfPrincipal = 2
    /// How long a picture may take to come; enough for some hundred kilobytes from where there is hardly a network.
    var pictureArrival = Duration.seconds(180)
    /// Bytes of a picture that are on their way to one reader at a time.
    var picturePieceBytes = 512 * 1024
    /// Bytes of opened pictures that are in memory for all who read them.
    var pictureBytesOpened = 32 << 20
    /// Messages of a transcript that are on their way to one reader at a time.
    var transcriptPageMessages = 32
    /// Bytes and words of a text that recordings and sessions are searched by.
    static let searchBytes = 512
    static let searchWords = 16
    /// Characters of a text that sessions are searched by.
    static let searchCharacters = 200
    /// Bytes of a page of a list: it ends with the row that reaches them, and its cursor goes on.
    static let pageBytes = 1 << 20
    /// Bytes of an answer that is built whole from which on it counts among those that are not read.
    static let smallAnswerBytes = 64 << 10
    /// Transcripts, pictures and large lists that one holder may ask for without having read them.
    var answersOfHolder = 32
    /// Bytes of a body that is read as a stream: media chunks.
    var streamedBodyBytes = 32 * 1024 * 1024

    /// Requests of strangers of one address: how many at once, how many a second thereafter.
    ///
    /// Generous, since a whole centre may sit behind one address.
    var requestsOfAddress = Rate(burst: 2000, perSecond: 1000)
    /// Requests of one signed-in user or device.
    var requestsOfPrincipal = Rate(burst: 400, perSecond: 100)
    /// Checkpoints that are made because somebody asks for a proof: each is kept for good.
    var checkpointsForProofs = Rate(burst: 4, perSecond: 0.1)
    /// Of these, those that one reader asks for: a quarter.
    var checkpointsForProofsOfReader = Rate(burst: 1, perSecond: 0.025)
    /// Sign-ins without a password in a demo, of all visitors together: each is recorded, and has a token.
    var demoSignIns = Rate(burst: 30, perSecond: 0.5)
    /// The phones that visitors of a demo may have, those that were registered first; later ones are their owners' alone.
    static let demoPhones = 3
    /// Clients whose rate is remembered; the ones idle for longest are forgotten.
    var rememberedClients = 20_000

    /// What one phone may write: a lively chat, a place each second and a stream's every change together are a tenth of it.
    var budgetOfPhone = ActorBudget(eventsPerMinute: 3_000, bytesPerHour: 32 << 20)
    /// What one person at work may write.
    var budgetOfUser = ActorBudget(eventsPerMinute: 12_000, bytesPerHour: 256 << 20)
    /// What one program with an account of its own may write.
    var budgetOfService = ActorBudget(eventsPerMinute: 60_000, bytesPerHour: 2 << 30)

    /// How long the ledger hears nothing more of strangers who are turned away for the same reason.
    var strangerRefusals = Duration.seconds(60)
    /// Networks of strangers that are told apart in that time.
    var strangerNetworks = 256

    /// How long whoever asks a read model waits until it shows what was recorded before, and a start until all of them do.
    var readModelWait = ProjectionLimits.waitDefault

    /// How long nothing may come on a live feed before its position is told.
    var feedPosition = Duration.seconds(15)
    /// How long nothing may come on a topic before its position is told: a page says within 8 s that nobody is there.
    var topicPosition = Duration.seconds(6)
    /// Topics of one live socket; a page that shows more loads them instead.
    var topicsOfSocket = 32
    /// Sessions of a caller that `me` follows; older ones are over.
    var topicSessions = 32
    /// Entries that a topic reads ahead of its page, from each of its subjects.
    var topicPageEntries = 64

    /// Chats that one signed-in user or device opens on `/chat`: each is read from its beginning, and may be a new session.
    var chatOpeningsOfPrincipal = Rate(burst: 120, perSecond: 1)
    /// How long a client may be connected to a chat without saying who it is.
    var chatSignInTime = Duration.seconds(30)
    /// Entries of a chat that are read at a time, before others have their turn.
    var chatPageEntries = 64

    /// Bytes of the longest frame of a chat in which the name of its message is looked for where it cannot be read.
    static let namedFrameBytes = 16 * 1024

    /// Sockets and feeds of one signed-in user or device that are open at once.
    var socketsOfPrincipal = 64
    /// Those of strangers of one address: `/chat` learns who it is from its first frame.
    var socketsOfStranger = 256
    /// What holds for each WebSocket.
    var socket = WebSocketLimits()
    /// What holds for accounts.
    var accounts = AccountLimits()
}

extension GatewayLimits {
    /// What an actor may write; `nil` for the parts of the gateway itself, whose causes are counted.
    func budget(of actor: Actor) -> ActorBudget? {
        if actor.isOwn { return nil }
        return switch actor.text.prefix(while: { $0 != "/" }) {
        case "device": budgetOfPhone
        case "service": budgetOfService
        default: budgetOfUser
        }
    }
}

/// What holds for each WebSocket.
struct WebSocketLimits: Sendable {
    /// Bytes of one whole message, fragments joined; more closes with 1009.
    ///
    /// A message of a chat has 8 KiB at most, whatever its escapes; only a camera sends more, see ``camera``.
    var messageBytes = 64 * 1024
    /// Messages a client may send; faster ones close the connection with 1008.
    var messages = Rate(burst: 2000, perSecond: 1000)
    /// How often the server pings.
    var pingInterval = Duration.seconds(20)
    /// How long a peer may be silent, or refuse to take bytes, before it counts as dead.
    var silence = Duration.seconds(45)
    /// The clock that silence is measured by.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// How long the server waits for the answer to its close frame.
    var closeAnswer = Duration.seconds(5)
    /// How long the server reads on after it closed because of a fault of the peer.
    var violationDrain = Duration.seconds(1)
    /// How long a handler may go on after its peer has closed, before it is cancelled.
    var handlerGrace = Duration.seconds(5)

    /// The same for the frames of a camera.
    var camera: WebSocketLimits {
        var limits = self
        limits.messageBytes = max(messageBytes, 4 * 1024 * 1024)
        return limits
    }
}

/// What holds for accounts, tokens and codes.
struct AccountLimits: Sendable {
    /// Characters of a password, at least and at most.
    var passwordCharacters = 12...256
    /// Bytes of a password, for a character may have any number of them; a longer one is nobody's.
    var passwordBytes = 1_024
    /// How long a token lasts at most.
    var tokenLife = Duration.seconds(12 * 3600)
    /// How long it is told of a user's token that it expired; then it is forgotten, with so many others at once.
    var endedTokenMemory = Duration.seconds(7 * 86_400)
    var endedTokensAtOnce = 64
    /// How long the token of a phone lasts.
    var deviceTokenLife = Duration.seconds(365 * 86_400)
    /// After how much silence an operator is signed out.
    var operatorIdle = Duration.seconds(300)
    /// How often whoever reads live is asked for again, without being rung and before the end of the token that is known.
    var liveCheck = Duration.seconds(5)
    /// How exactly the last use of a token is kept over a restart.
    var lastUseGrain = Duration.seconds(15)
    /// How long a code for registering a device is good, and for how many wrong tries.
    var deviceCodeLife = Duration.seconds(900)
    var deviceCodeTries = 500
    /// Of these, tries of one address: whoever guesses elsewhere does not use up the caller's.
    var deviceCodeTriesOfAddress = 5
    /// How long a one-use link is good, and for how many wrong codes.
    var linkLife = Duration.seconds(900)
    var linkTries = 5
    /// How long the same request gets the phone again that it registered by a code or a link: its answer may have been lost.
    var registrationMemory = Duration.seconds(600)
    /// How long it is remembered that a link expired.
    var expiredLinkMemory = Duration.seconds(86_400)
    /// How long the fingerprint of a request is kept.
    var fingerprintLife = Duration.seconds(48 * 3600)
    /// How many of them one actor has at most; the oldest go first.
    var fingerprintsOfActor = 1_024
    /// Wrong passwords that are free, for one login from one place and for one address; then each one doubles
    /// the wait, from a second up to `longestWait`.
    var freeTriesOfLogin = 5
    var freeTriesOfAddress = 50
    var longestWait = Duration.seconds(900)
    /// After how much quiet one failure is forgiven.
    var failureMemory = Duration.seconds(60)
    /// Tries of one login from places where it never signed in, all together.
    var triesOfLoginByStrangers = Rate(burst: 30, perSecond: 1.0 / 20)
    /// Tries of all logins from such places.
    var triesOfStrangers = Rate(burst: 300, perSecond: 10)
    /// Characters of a new login.
    var loginCharacters = 64
    /// Bytes of a login; a longer one is nobody's.
    var loginBytes = 256
    /// Bytes of a code as it is typed, and of a link, which may be given with the address of the gateway.
    static let spokenCodeBytes = 128
    static let givenLinkBytes = 1_024
    /// Places that are remembered of one user.
    var placesOfUser = 32
    /// Logins and addresses whose failures are remembered.
    var rememberedFailures = 20_000
    /// Passwords that may wait to be checked; further ones are refused with 503.
    var waitingPasswords = 64
    /// What checking a password costs.
    var passwordCost = PasswordCost.standard
}

/// What holds for upkeep.
enum UpkeepLimits {
    /// How long a token may last that is issued on request: 90 days (ruling 40).
    static let tokenLifeSecondsMax = 90 * 86_400
}

/// What holds for the folder of pages, and for the libraries beside them.
enum PageLimits {
    /// Bytes of a wish for gzip, of which browsers send some thirty; a longer one is none.
    static let encodingWishBytes = 1_024
    /// Bytes of all files together; they are held in memory.
    static let bytes = 16 * 1024 * 1024
    /// Files in the folder.
    static let files = 1000
    /// How far above the program the source tree may lie.
    static let ancestors = 6
    /// Bytes of one file of a library; each is held in memory.
    static let libraryFileBytes = 4 * 1024 * 1024
}

/// What holds for the sets of tiles.
enum MapShelfLimits {
    /// Sets that are served at once; each holds some files open.
    static let sets = 16
}
