"""The table: its indexes, the kinds of its items, their keys and the lists that they are in (ADR table).

Every key, sort-key prefix and index key is built in this package and nowhere else: `keys` has the vocabulary,
`entities` the primary keys, `ranges` the lists.

One table, two key attributes. A board is one partition, so that its lists are local indexes, which can be read
consistently. What crosses boards (a user's boards, the items assigned to a user) is a row in a partition of the user,
written in the same transaction as the item that it points at.

This is every partition with its sort keys; L1 to L4 are the keys of the item in the indexes. A test compares the
list with what is written.

A function's role may be limited to partitions, not to sort keys. So what a function writes that strangers reach is in
partitions of its own (ADR access).

    BOARD#<board>
        BOARD                                       a board
        EXAMPLE                                     how far an example board is filled
        COUNT#MEMBERS
        COUNT#COMMITTEES
        COUNT#PENDING_INVITES
        COUNT#BETS
        COUNT#UNREGISTERED
        COUNT#OPEN_ITEMS#<user>                     open action items of an assignee
        ACTIVE_TOKENS                               ids of the active tokens
        TOKEN#<token>
            L1 TOKENS#<time>#<token>
        MEMBER#<user>
            L1 MEMBERS#<time>#<member>
            L3 ROSTER#<time>#<member>#<join>#<tier>
        SEATS#<number>                              committees of some of the members
        COMMITTEE#<committee>
            L1 COMMITTEES#<time>#<committee>
        MEETING#<meeting>#SLOTS                     count of its slots
        MEETING#<meeting>#SLOT#<instant>
            L3 SLOTS#<time>#<slot>#<meeting>#<time>#<minutes>#<zone>
        MEETING#<meeting>#SLOT#<instant>#VOTE#<slot>#U#<user>  a member's vote
        MEETING#<meeting>#COMMENTS                  count of its comments
        MEETING#<meeting>#COMMENT#<comment>
            L3 AUTHORED#<user>#<comment>
        MEETING#<meeting>#AGENDA
        MEETING#<meeting>#MINUTES
        MEETING#<meeting>#PACK                      its pack that was requested last
        MEETING#<meeting>#GUEST_LINK
        MEETING#<meeting>#PERSONAL_LINK#<person>    the link in the e-mails to a person without an account
        MEETING#<meeting>#ACTION_ITEMS              count of its action items
        ACTION#<item>                               an action item
            L1 ACTIONS#<meeting>#<order>#<time>#<item>
            L2 ACTIONS#ALL#<order>#<time>#<item>
            L3 DUE_DATES#<day>#<item>
        DOCUMENT#<document>
            L1 DOCS#B#ALL#<time>#<document>         by update
            L2 DOCS#B#ALL#T#<type>#<time>#<document>
            L1 DOCS#C#<committee>#ALL#<time>#<document>  a committee's
            L2 DOCS#C#<committee>#ALL#T#<type>#<time>#<document>
        DOCUMENT#<document>#LINK#<number>           a link to a meeting, by the document's update
            L3 DOCS#B#M#<meeting>#<time>#<document>
            L4 DOCS#B#M#<meeting>#T#<type>#<time>#<document>
        DOCUMENT#<document>#VERSIONS                all versions of the document, and how to find their files
        DOCUMENT#<document>#COMMENTS                count of its comments
        DOCUMENT#<document>#COMMENT#<comment>
            L3 AUTHORED#<user>#<comment>
        FILE_BYTES                                  how many bytes of files the board holds
        REPORT#<report>
            L1 REPORTS#<time>#<report>
            L2 REPORTS#<status>#<time>#<report>
        REPORT#<report>#DASHBOARDS                  count and ids of its dashboards
        REPORT#<report>#DASHBOARD#<dashboard>
            L3 DASHBOARDS#<report>#<time>#<dashboard>#<kilobytes>
            L4 DASHBOARDS#<report>#<type>#<time>#<dashboard>#<kilobytes>
        FIGURE#<kpi>#<day>#<time>#<dashboard>       a figure of a published report
            L3 COUNTED_FIGURES#<report>#<dashboard>#<kpi>
        FIGURES_KEPT                                such figures are kept, and how often they have changed
        NEWEST_FIGURES                              those of the KPIs that the board has bets on
        CYCLE#<cycle>
            L1 CYCLES#<time>#<cycle>
        CYCLE_OF#<report>                           the cycle that a report is in
        UNREGISTERED#<person>                       a person without an account
            L1 UNREGISTERED#<time>#<person>
            L2 UNREGISTERED#<status>#<time>#<person>
        BET#<bet>
            L1 BETS#<time>#<bet>
        REPORT#<report>#DASHBOARD#<dashboard>#FIGURES  what it states of KPIs
        REPORT#<report>#DASHBOARD#<dashboard>#FLAGS  the contradictions that were found in it
        REPORT#<report>#CHECKS                      its dashboards that state KPIs, with the number of their flags
        REPORT#<report>#DASHBOARD#<dashboard>#COMMENTS  count of its comments
        REPORT#<report>#DASHBOARD#<dashboard>#COMMENT#<comment>
            L3 AUTHORED#<user>#<comment>
        PENDING_INVITE#<address>
            L1 INVITES#<time>#<invite>
            L2 INVITES#PENDING#<time>#<invite>
        INVITE#<invite>                             a closed invite
            L1 INVITES#<time>#<invite>
            L2 INVITES#<status>#<time>#<invite>
    PAYLOAD#<board>#<dashboard>
        PAYLOAD                                     narrative and fields of the dashboard
    PAYLOAD#<board>#<item>
        NOTES                                       notes of the action item
    PAYLOAD#<board>#<resolution>
        BODY                                        text of the resolution, and its files
        BODY#VOTERS#<number>                        some of its voters, with their ballots
        CHOICE#<name>                               a sealed choice of a secret ballot
        CERTIFICATE#<number>                        a part of its certificate
    RESOLUTIONS#<board>
        RESOLUTION#<resolution>
            L1 RESOLUTIONS#B#<time>#<resolution>    by creation
            L2 RESOLUTIONS#B#<time>#<resolution>    by closing; without one, by id
            L3 RESOLUTIONS#B#<status>#<time>#<resolution>
            L4 RESOLUTIONS#B#<status>#<time>#<resolution>
            L1 RESOLUTIONS#C#<committee>#<time>#<resolution>  a committee's
            L2 RESOLUTIONS#C#<committee>#<time>#<resolution>
            L3 RESOLUTIONS#C#<committee>#<status>#<time>#<resolution>
            L4 RESOLUTIONS#C#<committee>#<status>#<time>#<resolution>
            L1 RES_DRAFTS#B#<time>#<resolution>     a draft
            L2 RES_DRAFTS#B##<resolution>
            L3 RES_DRAFTS#B#<creator>#<time>#<resolution>
            L4 RES_DRAFTS#B#<creator>##<resolution>
            L1 RES_DRAFTS#C#<committee>#<time>#<resolution>
            L2 RES_DRAFTS#C#<committee>##<resolution>
            L3 RES_DRAFTS#C#<committee>#<creator>#<time>#<resolution>
            L4 RES_DRAFTS#C#<committee>#<creator>##<resolution>
        OF_MEETING#<meeting>#<resolution>           in the same lists of its meeting
            L1 RESOLUTIONS#M#<meeting>#B#<time>#<resolution>
            L2 RESOLUTIONS#M#<meeting>#B#<time>#<resolution>
            L3 RESOLUTIONS#M#<meeting>#B#<status>#<time>#<resolution>
            L4 RESOLUTIONS#M#<meeting>#B#<status>#<time>#<resolution>
        COUNT                                       count of the resolutions
        NUMBERS#<year>                              the last number of a year
        DEPARTURE#<time>#<cause>                    who left the board
        DEPARTURE#<time>#<committee>#<version>      who left a committee
    MEETINGS#<board>
        MEETING#<meeting>
            L1 MEETINGS#<time>#<meeting>            by start
            L2 MEETINGS#<status>#<time>#<meeting>
            L1 MEETINGS##<meeting>                  without a start, by id
            L2 MEETINGS#<status>##<meeting>
            L1 DRAFTS#<creator>#<time>#<meeting>    a draft
        MEETING#<meeting>#ANSWER#<user>             a member's answer to the meeting
        MEETING#<meeting>#UNREGISTERED_ANSWER#<person>  the answer of a person without an account
    CALENDAR#<board>
        STAMP                                       renewed by each change that calendars show
    WEBHOOKS#<board>
        WEBHOOKS                                    all webhooks of the board
    GUARD#<subject>#<number>
        GUARD                                       a guard row of a board, a meeting or a slot
    GUESTS#<board>
        MEETING#<meeting>#VIEW                      when a view of the guest link was last recorded
        MEETING#<meeting>#COUNT                     count of the guests' votes on the meeting
        MEETING#<meeting>#COUNT#<slot>              count of the guests' votes on a slot
        MEETING#<meeting>#VOTE#<slot>#<digest>
    EVENTS#<board>#<month>
        BOARD#<time>#<event>                        what all members may see
        DRAFTS#<creator>#<time>#<event>
        DOCS#C#<committee>#<time>#<event>
    EVENTS#<board>#RESERVE
        BOARD#<time>#<event>                        what protects, of months whose partition is full
    AUDIT#<board>#<month>
        <time>#<entry>
    AUDIT#<board>#RESERVE
        <time>#<entry>
    USER#<user>
        USER                                        a user
        PURGE                                       progress of the user's purge
        FORMER_EMAIL#<address>
        PREFERENCES
        TOKEN#<token>
            L1 TOKENS#<time>#<token>
        ACTIVE_TOKENS
        FORMER_BOARD#<board>                        the name of a board when the user left it
        COUNT#BOARDS
        ASSIGNED#<item>                             an action item
            L1 ASSIGNED#<status>#<time>#<item>
        SENT#<time>#<invite>                        an invite that the user sent
        NOTIFICATIONS_READ                          since when all are read
        CALENDAR_SETTINGS
        CALENDAR_FEED#<feed>
            L1 CALENDAR_FEEDS#<time>#<feed>
        CALENDAR_FEEDS                              count of the feeds
        OWN_EXAMPLE                                 the example board that the user made last
    BOARDS#<user>
        BOARD#<board>                               a board of the user
            L3 BOARDS#UPDATED#<time>#<board>
            L4 BOARDS#CREATED#<time>#<board>
    DELIVERED#<user>
        NOTIFICATION#<notification>
            L1 NOTIFICATIONS#<notification>
        CALENDAR_INVITATION#<meeting>               the calendar invitation that was last mailed to the user
    EMAIL#<address>
        USER#<user>                                 a user with this address
        INVITE#<time>#<invite>                      a pending invite of this address
        UNREGISTERED#<board>#ACTIVE                 the active person without an account who has it on a board
        UNREGISTERED#<board>#<person>               one who is archived or merged
    TOKEN#<token>
        OWNER                                       the key of the token
    USE#<token>
        LAST                                        last use of a token or of a calendar feed
    FEED#<feed>
        BOARDS                                      the boards that its last read found
    INVITE#<invite>
        BOARD                                       the board of the invite
        SENT                                        when its last mail was sent
    ACTION#<item>
        PLACE                                       the board of the action item
    WEBHOOK#<webhook>
        BOARD                                       the board of the webhook
    CODE#<code>
        BOARD                                       the board of the invite code
        INVITE#<digest>                             the invite of a link
    CALENDAR_REPLY#<digest>
        INVITATION                                  the calendar invitation of an address for replies
    MIGRATION
        PROGRESS                                    how far a migration has come
    LOG#LOCK
        LOCK                                        how far the log that nobody can rewrite is
    DELETED_DRAFT#<meeting>
        CREATOR                                     whose draft the meeting was
    DELIVERIES#<board>#<webhook>
        DELIVERY#<delivery>
        STATE                                       since when the webhook fails, if it is slow, if it is being probed
    EXPORTS#<exported>
        EXPORT#<user>#<export>                      an export of a board or a user, by who requested it
        RUNNING                                     the export that runs
    VIEWS#<caller>
        DOCUMENT#<document>                         the caller's last recorded view of the document
    VOTE_REQUEST#<meeting>
        LAST                                        the last request for votes
        TOLD                                        the windows in which proposed slots are told together
    DUE#<number>
        <time>#<subject>#<kind>                     what is due later: a reminder, or an attempt at a webhook
    ALLOWANCE#<purpose>#<subject>
        USES                                        the last uses of a quota
        USES#<lane>                                 the last uses of a quota that each lane, or each matter, has
        USES#<type>#<object>                        the last uses of a quota that each object has for itself
    TICKET#<digest>
        TICKET                                      a ticket of the live channel
    CONNECTION#<connection>
        CONNECTION                                  a connection of the live channel, with its rooms
    LISTENER#<user>
        CONNECTION#<time>#<connection>              a connection of the user
        RECORDED#<action>#<board>                   when the channel last recorded an action of the user on a board
        RECORDED#<action>#                          the same of an action that belongs to no board
    ROOM#<board>
        <user>#<connection>                         a connection in the board's room
    REFUSED#<address>
        RECORDED                                    when a refused handshake of an address was last recorded
    SYSTEM_AUDIT#<month>
        <time>#<entry>                              an audit entry that belongs to no board
    RATE#<subject>
        WINDOW                                      requests of the last five minutes
    IDEMPOTENCY#<principal>#<digit>
        <digest>                                    the recorded response to a request with an idempotency key
"""
