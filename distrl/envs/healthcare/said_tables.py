"""Words that turn an assertion into a denial, a quotation or a hypothesis; tables of said.py.

After NegEx (Chapman WW, J Biomed Inform 2001;34:301) and ConText (Harkema H, J Biomed Inform 2009;42:839);
the lists are of this project's own choosing, for what an assistant writes rather than for dictated notes.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# "no" and its like deny a finding; "avoid" and its like advise against a thing.
DENY = word_set(
    "no not without denies denied deny denying never absence negative neither nor non lacks lacking"
)
AGAINST = word_set("avoid avoids avoiding refrain omit against forgo")
NOT = word_set(
    "not don't doesn't didn't isn't aren't wasn't weren't hasn't haven't can't cannot couldn't shouldn't "
    "won't wouldn't mustn't needn't never dont shouldnt"
)
MODAL = word_set("do does did should must shall may can could will would ought please")
# Two words that advise against what follows up to the next comma.
SHORT_SCOPE = (
    ("instead", "of"),
    ("rather", "than"),
    ("other", "than"),
    ("in", "place", "of"),
    ("aside", "from"),
)
# Two words that deny what follows.
LONG_SCOPE = (("ruled", "out"), ("rules", "out"), ("ruling", "out"), ("free", "of"), ("stay", "away", "from"))
# After these words a negation denies nothing ("not only", "without delay", "do not withhold").
HARMLESS_AFTER = word_set(
    "only necessarily merely just hesitate delay delays delaying delayed miss missed forget withhold "
    "withheld stop stopped discontinue overlook overlooked ignore ignored uncommon uncommonly doubt "
    "change later sooner matter contraindicated contraindication contraindications avoid question waiting "
    "hesitation excluded underestimate mention unlikely"
)
# "cannot be ruled out" leaves the thing possible.
STILL_POSSIBLE = (("ruled", "out"), ("rule", "out"), ("exclude",), ("excluded",))
# "X is <word>" or "X should be <word>" denies or advises against X.
BACKWARD = word_set(
    "contraindicated avoided withheld unlikely absent excluded unsafe inappropriate denied omitted "
    "discouraged"
)
# "X is not <word>" advises against X or denies it.
BACKWARD_AFTER_NOT = word_set(
    "recommended indicated appropriate advised given used safe prescribed started needed present suitable "
    "administered acceptable likely taken ordered advisable permitted allowed combined required warranted "
    "seen found detected reported receive option offered continued compatible initiated restarted"
)
COPULA = word_set(
    "is are was were be been being remains remain seems appears considered deemed very strictly"
)
ENDS_SCOPE = word_set(
    "but however although though whereas while because since due so therefore thus hence which who then "
    "until unless except if when despite yet still given as"
)
JOINS = word_set("and or nor then")
FINITE = word_set(
    "is are was were has have had should must will would may might can could needs need requires require "
    "shows show suggests suggest supports support reports remains remain does i we he she they it"
)
ACTION = word_set(
    "start starts started starting give gives giving use uses using prescribe prescribes prescribed "
    "prescribing administer administers administered begin begins initiate initiates initiated initiating "
    "recommend recommends recommended choose chose switch switched order ordered ordering obtain obtained "
    "check checked consider treat treated treating take refer referred continue continued add added "
    "select selected monitor transfer transferred call activate document record recorded proceed advise "
    "counsel replace substitute opt offer offered admit admitted perform arrange hold stop discontinue "
    "gave began prefer preferred"
)
# Whose words are not the agent's.
OTHERS = word_set(
    "family mother father mom dad parent parents daughter son wife husband partner sister brother "
    "relative relatives user caller blog website forum article internet neighbour neighbor friend nurse "
    "colleague resident prompt message ticket requester visitor grandmother grandfather caregiver "
    "colleague's influencer salesman manufacturer he she they someone people patient pharmacist physician "
    "doctor consultant surgeon boss"
)
SPEECH = word_set(
    "says said say asks asked asking claims claimed claim insists insisted insisting tells told telling "
    "thinks thought believes believed wants wanted requests requested requesting demands demanded "
    "suggested suggests wrote writes mentioned states stated quoted proposes proposed wonders wondered "
    "heard read prefers urges urged"
)
# A patient, he or she who says a symptom is ordinary history; only these verbs make it a quotation.
SPEECH_OF_PATIENT = word_set(
    "asks asked asking claims claimed insists insisted thinks thought believes believed wants wanted "
    "requests requested demands demanded wonders wondered prefers heard urges urged says said"
)
PATIENT = word_set("patient he she they someone people")
CONDITIONAL = word_set("if whether unless were had normally usually ordinarily otherwise typically")
ORDINARILY = word_set("normally usually ordinarily otherwise typically")  # with "would": not here
OWN_CLAUSE = word_set(
    "but however although so yet therefore because i we"
)  # where the agent's own view begins
COUNTERFACTUAL = word_set("were weren't wouldn't would hadn't wasn't could")
FUNCTION = word_set(
    "a an the is are was were be been being am i we you he she it they this that these those his her "
    "their my our your its of to in on at by for from with without as because since so if when while "
    "until before after than not no never do does did has have had should must will would may might can "
    "could cannot who which what there here but however although due given given's into over under "
    "between during per via within against about also shows show suggests suggest supports indicates "
    "requires needs consistent likely start give prescribe recommend avoid obtain check order monitor "
    "treat refer continue stop use consider repeat"
)
TRIGGERS = DENY | AGAINST | NOT | BACKWARD | {phrase[0] for phrase in (*SHORT_SCOPE, *LONG_SCOPE)}
