"""How the questions of medical_qa are put: wordings by kind and split, none of which two splits share.

tables -> facts -> [wording] -> tickets

A slot in braces is filled from the fact. `train` has several wordings of a kind, the others their own.
"""

from __future__ import annotations

from collections.abc import Mapping

Wordings = Mapping[str, tuple[str, ...]]

STEMS: Mapping[str, Wordings] = {
    "mechanism": {
        "train": (
            "How does {drug} work?",
            "Which of the following is the mechanism of action of {drug}?",
            "A student asks how {drug} has its effect. Which explanation is right?",
        ),
        "heldout": ("By what action does {drug} achieve what it is given for?",),
        "test": ("Pick the description that fits the pharmacology of {drug}.",),
    },
    "drug_class": {
        "train": (
            "Which of these drugs is a {group}?",
            "A protocol asks for a {group}. Which drug is one?",
            "Name the {group} among the following.",
        ),
        "heldout": ("One drug in this list counts as a {group}. Which?",),
        "test": ("To which of these names does the label '{group}' apply?",),
    },
    "contraindication": {
        "train": (
            "Which condition is an absolute contraindication to {drug} by its monograph?",
            "Before {drug} is ordered the chart is read. Which finding rules it out, going by the monograph?",
            "{drug_start} must not be given in one of these conditions. Which, by its monograph?",
        ),
        "heldout": ("According to its entry in the formulary, what on a problem list forbids {drug}?",),
        "test": (
            "Going through past diagnoses, which one would make {drug} unacceptable by the reference entry?",
        ),
    },
    "boxed_warning": {
        "train": (
            "Which boxed warning stands in the monograph of {drug}?",
            "What does the boxed warning of {drug} say, by its monograph?",
            "Of these warnings, which one is boxed in the monograph of {drug}?",
        ),
        "heldout": ("The reference entry on {drug} quotes a warning in a frame. What is it about?",),
        "test": ("Choose the gravest warning that the entry of {drug} shows.",),
    },
    "food": {
        "train": (
            "What does the monograph of {drug} advise about food?",
            "Which advice on meals and drinks stands in the monograph of {drug}?",
            "How do food or drink matter for {drug} by its monograph?",
        ),
        "heldout": (
            "Counselling on eating and drinking with {drug}: which advice is in its reference entry?",
        ),
        "test": ("At discharge on {drug}, which dietary instruction comes from its entry?",),
    },
    "max_daily_dose": {
        "train": (
            "What is the highest total dose of {drug} by the {route} route in one day for an adult with "
            "normal kidneys and liver?",
            "Up to which daily dose may {drug} be given ({route}, adult, normal organ function)?",
            "An adult with healthy kidneys and liver takes {drug}, {route}. Which total must not be passed "
            "in 24 hours?",
        ),
        "heldout": ("State the ceiling for one day of {route} {drug} in an adult without organ impairment.",),
        "test": (
            "A pharmacist checks an {route} order of {drug} for an adult. Which is the label's daily limit?",
        ),
    },
    "renal_dose": {
        "train": (
            "Creatinine clearance is {crcl} mL/min. What holds for {drug}?",
            "How is {drug} dosed when the creatinine clearance is {crcl} mL/min?",
            "A patient on {drug} has a creatinine clearance of {crcl} mL/min. Which advice fits?",
        ),
        "heldout": ("With kidneys that clear {crcl} mL of creatinine a minute, what is done about {drug}?",),
        "test": (
            "Renal function has fallen to {crcl} mL/min (Cockcroft-Gault). Choose the rule for {drug}.",
        ),
    },
    "drug_level": {
        "train": (
            "What is the target level of {drug}, {sample}?",
            "Which range is aimed at when {drug} is monitored ({sample})?",
            "A level of {drug} comes back ({sample}). Within which limits should it lie?",
        ),
        "heldout": ("Therapeutic monitoring of {drug}: which concentrations are wanted, {sample}?",),
        "test": ("Give the desired concentration window for {drug} when the sample is {sample}.",),
    },
    "pregnancy": {
        "train": (
            "A patient is {week} weeks pregnant. Which of these drugs is contraindicated because of that?",
            "In week {week} of a pregnancy, which drug on this list must not be given?",
            "Which of the following is ruled out at {week} weeks of gestation?",
        ),
        "heldout": (
            "Gestation is {week} weeks. One of these medicines has to be stopped on that account. Which?",
        ),
        "test": (
            "An expectant mother ({week} weeks) brings her medicines. Which one is forbidden in pregnancy?",
        ),
    },
    "interaction_effect": {
        "train": (
            "A patient on {drug} is also given {other}. What is to be feared?",
            "What does the interaction between {drug} and {other} lead to?",
            "{drug_start} together with {other}: which problem is expected?",
        ),
        "heldout": ("If {other} joins a regimen of {drug}, which consequence is on record?",),
        "test": ("Why does an order of {other} for someone who takes {drug} raise an alert?",),
    },
    "interaction_partner": {
        "train": (
            "A patient takes {drug}. Which new drug interacts with it seriously ({severity}), by the table?",
            "By the interaction table, which of these has a {severity} interaction with {drug}?",
            "To {drug} one of these is to be added. Which is on record as a {severity} interaction?",
        ),
        "heldout": ("Screening a list against {drug} returns one hit graded {severity}. Which drug is it?",),
        "test": (
            "Someone stabilised on {drug} needs a further prescription. Which choice is flagged {severity}?",
        ),
    },
    "antidote": {
        "train": (
            "Which drug is given for {use}?",
            "What is the drug treatment of {use}?",
            "A patient needs treatment for {use}. Which drug is it?",
        ),
        "heldout": ("The antidote cupboard is opened because of {use}. What is taken out?",),
        "test": ("Toxicology advises on {use}. Which agent do they name?",),
    },
    "allergy": {
        "train": (
            "A patient had {reaction} after {drug}. Which of these is contraindicated for that reason?",
            "The allergy list says {drug} ({reaction}). Which order has to be stopped?",
            "With {reaction} to {drug} on record, which of the following must not be given?",
        ),
        "heldout": ("{drug_start} once caused {reaction}. Which prescription would repeat the mistake?",),
        "test": (
            "Documented: {reaction}, culprit {drug}. Which item on the chart belongs to the same group?",
        ),
    },
    "diagnosis": {
        "train": (
            "{story} What is the most likely diagnosis?",
            "{story} Which condition explains this best?",
            "{story} Which diagnosis fits the whole picture?",
        ),
        "heldout": ("{story} Name the underlying disease.",),
        "test": ("{story} What is this patient suffering from?",),
    },
    "workup": {
        "train": (
            "{condition_start} is suspected. Which of these tests belongs to its work-up by the guideline?",
            "Which investigation does the guideline name in the work-up of {condition}?",
            "Which test should be seen or ordered when {condition} is thought of, by the guideline?",
        ),
        "heldout": ("The team considers {condition}. Which request does the reference text list for it?",),
        "test": ("To settle whether this is {condition}, what would guidance have you request?",),
    },
    "time_critical": {
        "train": (
            "Which step does the guideline call time-critical in {condition}?",
            "{condition_start} has been recognised. Which action is time-critical by the guideline?",
            "What must not be delayed in {condition}, going by its guideline?",
        ),
        "heldout": ("Minutes matter in {condition}. For which of these, says the reference text?",),
        "test": ("Guidance lists one of these as not to be left out or put off in {condition}. Which?",),
    },
    "harmful": {
        "train": (
            "Which of these drugs does harm in {condition}?",
            "A patient has {condition}. Which drug is to be avoided?",
            "In {condition}, which of the following should not be given?",
        ),
        "heldout": ("Guidance on {condition} warns of one drug in this list. Which?",),
        "test": ("While {condition} is treated, which medicine on the old list has to go?",),
    },
    "safe_treatment": {
        "train": (
            "{who} with {condition} has {allergy} and needs {purpose}. What is the first safe choice?",
            "{condition_start}, {allergy} on record, {who_small}: which drug is first for {purpose}?",
            "{who} with {condition} reports {allergy}. Which drug should be started for {purpose}?",
        ),
        "heldout": (
            "For {purpose} in {condition}: {who_small}, {allergy}. Which order is both right and safe?",
        ),
        "test": ("{who} comes with {condition}; the record shows {allergy}. Choose the drug for {purpose}.",),
    },
    "guidance_number": {
        "train": (
            'Guidance on {condition} says: "{cloze}" Which number is missing?',
            'Fill the gap in this sentence on {condition}: "{cloze}"',
            'A teaching point about {condition} reads "{cloze}" What belongs in the gap?',
        ),
        "heldout": ('In notes on {condition} a figure was blotted out: "{cloze}" Restore it.',),
        "test": ('Complete the statement about {condition} with the correct figure: "{cloze}"',),
    },
    "score": {
        "train": (
            "{story} What is the {score}, and what does it mean?",
            "{story} Work out the {score}. Which line is right?",
            "Use the {score}. {story} Which result and reading are correct?",
        ),
        "heldout": ("Apply the {score} to this patient. {story} What comes out?",),
        "test": ("{story} Somebody asks for the {score} with its interpretation. Choose.",),
    },
    "mechanism_text": {
        "train": (
            "Explain in one sentence how {drug} works.",
            "In one sentence: what is the mechanism of action of {drug}?",
        ),
        "heldout": ("Describe the action of {drug} in a single sentence.",),
        "test": ("Write one sentence on the pharmacology of {drug}.",),
    },
    "pregnancy_text": {
        "train": (
            "May {drug} be used in pregnancy, and why? Answer in one sentence.",
            "What is the pregnancy verdict on {drug}, with its reason? One sentence.",
        ),
        "heldout": (
            "Say in a single sentence whether a pregnant woman can take {drug}, and the ground for it.",
        ),
        "test": ("Pregnancy and {drug}: give verdict and ground, one sentence.",),
    },
    "guidance_text": {
        "train": (
            "What does guidance on {condition} say about {topic}? Answer in one sentence.",
            "State in one sentence what is advised on {topic} in {condition}.",
        ),
        "heldout": ("Quote in substance, in a single sentence, the advice on {topic} for {condition}.",),
        "test": ("One sentence please: {topic} in {condition}, what holds?",),
    },
}
CLOSINGS: Wordings = {
    "train": (
        "Search the knowledge base, then submit the letter of the best option.",
        "Look the fact up before you answer. Submit one letter.",
        "Use the tools to check, and submit the letter of your choice.",
    ),
    "heldout": ("Base your choice on what the tools find, and hand in its letter.",),
    "test": ("Verify with the tools which option holds, then give its letter.",),
}
TEXT_CLOSINGS: Wordings = {
    "train": (
        "Search the knowledge base, then submit your answer.",
        "Look it up before you answer, then submit the sentence.",
    ),
    "heldout": ("Base it on what the tools find, and hand it in.",),
    "test": ("Verify it with the tools, then give it.",),
}
PERSONAS: Wordings = {
    "train": (
        "A resident who studies for an examination",
        "A ward physician with a question between two patients",
        "A nurse practitioner who wants the reason as well",
    ),
    "heldout": ("A pharmacist on call",),
    "test": ("A consultant who checks the answer against the source",),
}
