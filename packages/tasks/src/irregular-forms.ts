/** Words with forms that no rule gives: the word first, then its forms. */
const rows = `
arise arose arisen; awake awoke awoken; be am is are was were been being; bear bore born borne; beat beaten; become became;
begin began begun; bend bent; bet; bid bade bidden; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken;
breed bred; bring brought; broadcast; build built; burn burnt; burst; buy bought; cast; catch caught; choose chose chosen; cling clung;
come came; cost; creep crept; cut; deal dealt; dig dug; dive dove; do does did done; draw drew drawn; dream dreamt; drink drank drunk;
drive drove driven; dwell dwelt; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten;
give gave given; go goes went gone; grind ground; grow grew grown; hang hung; have has had; hear heard; hide hid hidden; hit; hold held;
hurt; keep kept; kneel knelt; knit; know knew known; lay laid; lead led; lean leant; leap leapt; learn learnt; leave left; lend lent; let;
lie lay lain; light lit; lose lost; make made; mean meant; meet met; mow mown; pay paid; prove proven; put; quit; read; ride rode ridden;
ring rang rung; rise rose risen; run ran; saw sawn; say said; see saw seen; seek sought; sell sold; send sent; set; sew sewn;
shake shook shaken; shave shaven; shed; shine shone; shoot shot; show shown; shrink shrank shrunk; shut; sing sang sung; sink sank sunk;
sit sat; sleep slept; slide slid; sling slung; smell smelt; sow sown; speak spoke spoken; speed sped; spend spent; spill spilt;
spin spun; spit spat; split; spread; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung; stink stank stunk;
stride strode stridden; strike struck stricken; string strung; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung;
take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; tread trod trodden; understand understood;
wake woke woken; wear wore worn; weave wove woven; weep wept; wet; win won; wind wound; wring wrung; write wrote written;
foot feet; goose geese; tooth teeth; mouse mice; louse lice; child children; person people; ox oxen; die dice;
axis axes; analysis analyses; crisis crises; cactus cacti; fungus fungi; medium media; phenomenon phenomena;
fish; sheep; deer; bus busses; quiz quizzes quizzed quizzing; picnic picnicked picnicking; panic panicked panicking; mimic mimicked mimicking
`;

/** The irregular forms of English words, by the word. */
export const irregularForms: ReadonlyMap<string, readonly string[]> = new Map(
  rows
    .split(";")
    .map((row) => row.trim().split(/\s+/))
    .map(([word = "", ...forms]) => [word, forms]),
);
