"""The formulary's further drugs in the terms of drug_pk: pathways, inhibition, induction, shared effects.

formulary -> [these facts] -> interactions

Kept apart from drug_pk so that the published tool set over that table, and its notes, stay what they are.
Grades and sources as in drug_pk. Inhaled steroids stand as minor substrates: an inducer does not weaken them
in the lung, and rows of drug_pairs_formulary name what inhibitors do. Classes besides those of drug_pk: see
drug_pairs_formulary.
"""

from __future__ import annotations

from distrl.envs.clinical.drug_pk import DrugFacts

D = DrugFacts
BENZO = ("benzodiazepine", "cns depressant")
AZOLE_LIKE = {"CYP3A4": 3, "P-gp": 2, "CYP2D6": 1}

# Drugs of which no pathway of the table and no shared effect is known.
_QUIET = (
    "acetylcysteine|acyclovir|albumin|aztreonam|cefazolin|cefdinir|cefepime|cefotaxime|ceftazidime|ceftriaxone"
    "|cefuroxime|cephalexin|cetirizine|cholecalciferol|clindamycin|cyanocobalamin|dextrose|ezetimibe|famotidine"
    "|folic acid|fomepizole|fosfomycin|glucagon|hydralazine|idarucizumab|lactated ringer's|lactulose|mannitol"
    "|mesalamine|micafungin|misoprostol|montelukast|naloxone|nitrofurantoin|octreotide|oseltamivir|oxytocin"
    "|polyethylene glycol|protamine|pyrazinamide|remdesivir|senna|sodium bicarbonate|sodium chloride 0.9%"
    "|sodium chloride 3%|thiamine|valacyclovir|vasopressin|zoledronic acid|activated charcoal|flumazenil"
    "|adenosine|phytonadione|ethambutol|acetaminophen|methimazole|propylthiouracil|isoniazid|etomidate"
    "|tamsulosin|finasteride|desmopressin|bisacodyl|medroxyprogesterone|raloxifene|memantine|gemfibrozil"
    "|rho(d) immune globulin|isotretinoin"
)
_BY_CLASS: dict[str, tuple[str, ...]] = {
    "amoxicillin|amoxicillin-clavulanate|ampicillin|ampicillin-sulbactam|nafcillin|penicillin g"
    "|penicillin g benzathine|penicillin v|piperacillin-tazobactam": ("penicillin",),
    "meropenem|ertapenem": ("carbapenem",),
    "gentamicin|tobramycin|amikacin": ("aminoglycoside", "nephrotoxic"),
    "vancomycin": ("nephrotoxic",),
    "amphotericin b liposomal": ("nephrotoxic", "potassium wasting"),
    "iohexol": ("contrast", "nephrotoxic"),
    "doxycycline|minocycline": ("tetracycline",),
    "moxifloxacin": ("qt", "fluoroquinolone"),
    "daptomycin": ("daptomycin",),
    "sulfasalazine": ("sulfonamide",),
    "heparin|enoxaparin|fondaparinux|argatroban": ("anticoagulant",),
    "alteplase|tenecteplase": ("thrombolytic",),
    "prasugrel": ("antiplatelet",),
    "tranexamic acid": ("antifibrinolytic",),
    "ferrous sulfate|sucralfate": ("cation",),
    "enalapril|ramipril": ("ace inhibitor", "raas blocker"),
    "valsartan": ("raas blocker",),
    "sacubitril-valsartan": ("raas blocker", "neprilysin inhibitor"),
    "atenolol|esmolol|bisoprolol|labetalol": ("beta blocker",),
    "sotalol": ("beta blocker", "antiarrhythmic", "qt"),
    "clonidine|methyldopa": ("central alpha agonist",),
    "nitroglycerin|isosorbide mononitrate": ("nitrate",),
    "bumetanide|torsemide": ("diuretic", "loop diuretic", "potassium wasting"),
    "chlorthalidone|acetazolamide": ("diuretic", "potassium wasting"),
    "insulin regular|insulin lispro|insulin nph|insulin glargine": ("antidiabetic", "insulin"),
    "sitagliptin|liraglutide|semaglutide|dulaglutide|pioglitazone": ("antidiabetic",),
    "empagliflozin|dapagliflozin": ("antidiabetic", "sglt2 inhibitor"),
    "fludrocortisone": ("corticosteroid", "potassium wasting"),
    "alendronate": ("bisphosphonate",),
    "albuterol|terbutaline": ("beta agonist", "potassium lowering"),
    "ipratropium|tiotropium|atropine": ("anticholinergic",),
    "ketorolac|indomethacin": ("nsaid",),
    "febuxostat": ("xanthine oxidase inhibitor",),
    "sumatriptan": ("triptan",),
    "morphine|hydromorphone": ("opioid",),
    "metoclopramide|prochlorperazine": ("dopamine antagonist",),
    "promethazine": ("cns depressant", "anticholinergic", "dopamine antagonist", "qt"),
    "ondansetron": ("qt",),
    "levetiracetam|lamotrigine|lacosamide": ("antiepileptic",),
    "valproate": ("antiepileptic", "valproate"),
    "levodopa-carbidopa": ("dopaminergic",),
    "pyridostigmine": ("cholinesterase inhibitor",),
    "baclofen|propofol|ketamine": ("cns depressant",),
    "lorazepam": BENZO,
    "azathioprine": ("thiopurine",),
    "infliximab|adalimumab": ("tnf inhibitor",),
    "norepinephrine|epinephrine|phenylephrine|dopamine|dobutamine": ("catecholamine",),
    "rocuronium|succinylcholine": ("neuromuscular blocker",),
    "potassium chloride": ("potassium supplement",),
    "nadolol|timolol": ("beta blocker", "nonselective beta blocker"),
    "indapamide": ("diuretic", "potassium wasting"),
    "amiloride": ("diuretic", "potassium sparing"),
    "trimethoprim": ("potassium sparing", "antifolate"),
    "calcium carbonate": ("cation",),
    "pseudoephedrine": ("catecholamine",),
    "methylphenidate": ("stimulant",),
    "canagliflozin": ("antidiabetic", "sglt2 inhibitor"),
    "phenelzine": ("mao inhibitor", "serotonergic"),
    "hydroxyzine": ("antihistamine", "anticholinergic", "cns depressant", "qt"),
    "cyclobenzaprine": ("serotonergic", "anticholinergic", "cns depressant", "tricyclic"),
    "meperidine": ("opioid", "serotonergic"),
    "rizatriptan": ("triptan",),
    "betamethasone": ("corticosteroid",),
    "magnesium sulfate": ("magnesium",),
    "calcium gluconate": ("calcium",),
}
FORMULARY_DRUGS: dict[str, DrugFacts] = (
    {name: D() for name in _QUIET.split("|")}
    | {name: D(classes=classes) for names, classes in _BY_CLASS.items() for name in names.split("|")}
    | {
        "alprazolam": D(classes=BENZO, substrate={"CYP3A4": 2}),
        "amitriptyline": D(
            classes=("serotonergic", "tricyclic", "qt", "anticholinergic", "cns depressant"),
            substrate={"CYP2D6": 2, "CYP2C19": 2},
        ),
        "aripiprazole": D(classes=("dopamine antagonist",), substrate={"CYP2D6": 2, "CYP3A4": 2}),
        "buspirone": D(classes=("serotonergic",), substrate={"CYP3A4": 3}),
        "cilostazol": D(classes=("antiplatelet",), substrate={"CYP3A4": 2, "CYP2C19": 2}),
        "diclofenac": D(classes=("nsaid",), substrate={"CYP2C9": 1}),
        "ergotamine": D(classes=("ergot",), substrate={"CYP3A4": 3}),
        "estradiol": D(classes=("estrogen",), substrate={"CYP3A4": 1}),
        "fluticasone": D(substrate={"CYP3A4": 1}),
        "glimepiride": D(classes=("antidiabetic", "sulfonylurea"), substrate={"CYP2C9": 2}),
        "meloxicam": D(classes=("nsaid",), substrate={"CYP2C9": 2}),
        "oxcarbazepine": D(classes=("antiepileptic",), inhibits={"CYP2C19": 1}, induces={"CYP3A4": 1}),
        "oxybutynin": D(classes=("anticholinergic",), substrate={"CYP3A4": 2}),
        "tamoxifen": D(substrate={"CYP2D6": 2}, prodrug=("CYP2D6",), narrow=True),
        "budesonide": D(classes=("corticosteroid",), substrate={"CYP3A4": 2}),
        "buprenorphine-naloxone": D(classes=("opioid", "partial opioid"), substrate={"CYP3A4": 2}),
        "carvedilol": D(
            classes=("beta blocker", "nonselective beta blocker"),
            substrate={"CYP2D6": 2},
            inhibits={"P-gp": 1},
        ),
        "celecoxib": D(classes=("nsaid",), substrate={"CYP2C9": 2}, inhibits={"CYP2D6": 1}),
        "chlordiazepoxide": D(classes=BENZO, substrate={"CYP3A4": 1}),
        "clonazepam": D(classes=BENZO, substrate={"CYP3A4": 2}),
        "clozapine": D(
            classes=("dopamine antagonist", "anticholinergic", "cns depressant", "seizure threshold", "qt"),
            substrate={"CYP1A2": 2, "CYP3A4": 1, "CYP2D6": 1},
            narrow=True,
        ),
        "colchicine": D(classes=("colchicine",), substrate={"CYP3A4": 2, "P-gp": 2}, narrow=True),
        "dabigatran": D(classes=("anticoagulant",), substrate={"P-gp": 3}),
        "dexamethasone": D(classes=("corticosteroid",), substrate={"CYP3A4": 2}, induces={"CYP3A4": 1}),
        "diazepam": D(classes=BENZO, substrate={"CYP2C19": 2, "CYP3A4": 2}),
        "diphenhydramine": D(
            classes=("antihistamine", "anticholinergic", "cns depressant"), inhibits={"CYP2D6": 1}
        ),
        "donepezil": D(classes=("cholinesterase inhibitor",), substrate={"CYP2D6": 1, "CYP3A4": 1}),
        "eplerenone": D(classes=("diuretic", "potassium sparing"), substrate={"CYP3A4": 3}),
        "fentanyl": D(classes=("opioid", "serotonergic"), substrate={"CYP3A4": 2}, narrow=True),
        "flecainide": D(classes=("antiarrhythmic", "qt"), substrate={"CYP2D6": 2}, narrow=True),
        "fluticasone-salmeterol": D(classes=("beta agonist",), substrate={"CYP3A4": 1}),
        "glipizide": D(classes=("antidiabetic", "sulfonylurea"), substrate={"CYP2C9": 2}),
        "glyburide": D(classes=("antidiabetic", "sulfonylurea"), substrate={"CYP2C9": 2}),
        "haloperidol": D(classes=("dopamine antagonist", "qt"), substrate={"CYP2D6": 1, "CYP3A4": 1}),
        "hydrocortisone": D(classes=("corticosteroid",), substrate={"CYP3A4": 1}),
        "hydroxychloroquine": D(classes=("qt",), inhibits={"CYP2D6": 1, "P-gp": 1}),
        "levonorgestrel": D(classes=("hormonal contraceptive",), substrate={"CYP3A4": 1}),
        "lidocaine": D(classes=("antiarrhythmic",), substrate={"CYP1A2": 1, "CYP3A4": 1}, narrow=True),
        "loperamide": D(substrate={"P-gp": 2, "CYP3A4": 1}),
        "methadone": D(classes=("opioid", "serotonergic", "qt"), substrate={"CYP3A4": 1}, narrow=True),
        "methylergonovine": D(classes=("ergot",), substrate={"CYP3A4": 3}),
        "methylprednisolone": D(classes=("corticosteroid",), substrate={"CYP3A4": 2}),
        "metronidazole": D(classes=("nitroimidazole",), inhibits={"CYP2C9": 1}),
        "midazolam": D(classes=BENZO, substrate={"CYP3A4": 3}),
        "mirtazapine": D(
            classes=("serotonergic", "cns depressant"), substrate={"CYP2D6": 1, "CYP3A4": 1, "CYP1A2": 1}
        ),
        "nicardipine": D(classes=("dihydropyridine",), substrate={"CYP3A4": 2}, inhibits={"CYP3A4": 1}),
        "nifedipine": D(classes=("dihydropyridine",), substrate={"CYP3A4": 2}),
        "nimodipine": D(classes=("dihydropyridine",), substrate={"CYP3A4": 3}),
        "nirmatrelvir-ritonavir": D(
            classes=("protease inhibitor",), substrate={"CYP3A4": 2}, inhibits=AZOLE_LIKE
        ),
        "olanzapine": D(
            classes=("dopamine antagonist", "anticholinergic", "cns depressant"), substrate={"CYP1A2": 2}
        ),
        "oxycodone": D(classes=("opioid",), substrate={"CYP3A4": 2, "CYP2D6": 1}),
        "phenobarbital": D(
            classes=("antiepileptic", "cns depressant"),
            substrate={"CYP2C9": 1, "CYP2C19": 1},
            induces={"CYP3A4": 2, "CYP2C9": 1, "CYP1A2": 1, "P-gp": 1},
            narrow=True,
        ),
        "propranolol": D(
            classes=("beta blocker", "nonselective beta blocker"), substrate={"CYP2D6": 2, "CYP1A2": 2}
        ),
        "quetiapine": D(classes=("dopamine antagonist", "cns depressant", "qt"), substrate={"CYP3A4": 3}),
        "rifaximin": D(classes=("rifamycin",), substrate={"P-gp": 2}),
        "risperidone": D(classes=("dopamine antagonist", "qt"), substrate={"CYP2D6": 2}),
        "rivaroxaban": D(classes=("anticoagulant",), substrate={"CYP3A4": 2, "P-gp": 2}),
        "sildenafil": D(classes=("pde5 inhibitor",), substrate={"CYP3A4": 3}),
        "ticagrelor": D(classes=("antiplatelet",), substrate={"CYP3A4": 2}, inhibits={"P-gp": 1}),
        "topiramate": D(classes=("antiepileptic",), induces={"CYP3A4": 1}),
        "trazodone": D(classes=("serotonergic", "qt", "cns depressant"), substrate={"CYP3A4": 2}),
        "zolpidem": D(classes=("cns depressant",), substrate={"CYP3A4": 1}),
    }
)
