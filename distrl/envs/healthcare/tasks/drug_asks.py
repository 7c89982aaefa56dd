"""What a ticket of drug_interaction asks, by kind; each split has forms of its own (see phrases).

[drug_asks] -> drug_kinds, drug_organs, drug_facts -> Task
"""

from __future__ import annotations

from distrl.envs.healthcare.tasks.phrases import Groups

ASKS: dict[str, Groups[str]] = {
    "new_drug": (
        (
            "We want to add {drug} {dose} for {purpose}. Is that safe with what is already taken?",
            "Can {drug} {dose} be started for {purpose}? Check it against the list, please.",
            "A colleague proposes {drug} {dose} ({purpose}). Any objection?",
        ),
        (
            "Someone suggested {drug}, {dose}, on account of {purpose}. Would you go along with it?",
            "Does {drug} at {dose}, meant for {purpose}, get along with the tablets in use?",
        ),
        (
            "Thinking about {drug} ({dose}) because of {purpose}: how does that sit beside the pills?",
            "{purpose} has to be treated; I had {drug} {dose} in mind. Your verdict?",
        ),
    ),
    "review": (
        (
            "Please review the whole list for interactions and tell me what to do about each that matters.",
            "Could you go through all current drugs for interactions, worst first?",
            "Full interaction review, please: which pairs matter and how do we manage them?",
        ),
        (
            "Sort the combinations in this regimen by how much they should trouble us.",
            "Is anything here that quarrels with anything else?",
        ),
        (
            "I would like each risky combination in the regimen listed along with a remedy.",
            "So many bottles on the table: do they bite each other?",
        ),
    ),
    "alternative": (
        (
            "{drug} was planned for {purpose}, but I doubt that it goes with the list. What instead?",
            "Please find a replacement for the planned {drug} ({purpose}) that fits the other drugs.",
            "Which drug could take the place of {drug} for {purpose} here?",
        ),
        ("If {drug} is not a good idea for {purpose}, name something that is and say why.",),
        ("Help me swap out {drug}, meant for {purpose}, for a compound that this regimen tolerates.",),
    ),
    "renal": (
        (
            "{drug} {dose} is planned for {purpose}. Does the dose fit the kidneys?",
            "Please check {drug} {dose} against kidney function and tell me what is right.",
            "Kidney function is a worry. Is {drug} {dose} acceptable, and if not, what is?",
        ),
        ("How should {drug} (at present thought of as {dose}) be dosed given the creatinine?",),
        ("Is the order of {drug}, {dose}, right for someone with these kidneys?",),
    ),
    "hepatic": (
        (
            "There is cirrhosis, Child-Pugh class {child}. What does that mean for {drug}?",
            "Can {drug} be used in Child-Pugh {child} cirrhosis, and at which dose?",
        ),
        ("With a liver graded Child-Pugh {child}, would you still hand out {drug}?",),
        ("Cirrhosis, class {child} after Child and Pugh. Your advice on {drug}?",),
    ),
    "pregnancy": (
        (
            "She is {weeks} weeks pregnant. Is {drug} acceptable for {purpose}?",
            "Pregnant, week {weeks}. May she take {drug} ({purpose})?",
        ),
        ("Gestation stands at {weeks} weeks and {drug} has come up for {purpose}. Yes or no, and why?",),
        ("In week {weeks} of pregnancy: what would you say to {drug}, intended for {purpose}?",),
    ),
    "tdm": (
        (
            "The {drug} level came back at {level}. Please interpret it and tell me what to do.",
            "{Drug} level today: {level}. Too low, right or too high? What next?",
        ),
        ("The laboratory phones through {level} for {drug}. How do you read that figure?",),
        ("A sample for {drug} shows {level}; is the present dosing on target?",),
    ),
    "food": (
        (
            "What food or drink matters with {drug}? Please tell me how to counsel the patient.",
            "Please check {drug} for interactions with food before I explain it to the patient.",
        ),
        ("Meals, juice, alcohol: what has to be said at the bedside about {drug}?",),
        ("The kitchen wants to know whether {drug} calls for changes to the menu.",),
    ),
    "cyp": (
        (
            "By which mechanism do {drug} and {other} interact, and what follows for the patient?",
            "{Drug} is to be given beside {other}. Explain the pathway of the interaction and what to do.",
        ),
        ("Explain at the level of enzymes or transporters what happens between {drug} and {other}.",),
        ("Why would {drug} together with {other} be a problem, metabolically speaking?",),
    ),
}
