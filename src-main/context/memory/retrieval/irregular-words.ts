/** Forms no stemmer reaches: irregular English verbs and plurals, each line a base form and its other forms. */
const LINES = `be been
become became
begin began begun
bear bore borne
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
cost
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lay lain
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame
pay paid
prove proven
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
speak spoke spoken
spend spent
spill spilt
spin spun
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
write wrote written
child children kid kids
person people
man men
woman women
foot feet
tooth teeth
mouse mice
goose geese
wife wives
half halves
knife knives
shelf shelves
mother mom mum mommy mummy moms mums
father dad daddy dads
grandmother grandma granny grandmas
grandfather grandpa grandpas
bicycle bike bikes
photograph photo photos
television tv
telephone phone phones
favourite favorite favourites favorites
colour color colours colors
centre center centers
theatre theater theaters
organise organize organized organizing
begin start started starts starting
movie film films movies
doctor dr doctors
picture pic pics pictures`

const BASE = new Map<string, string>()
for (const line of LINES.split('\n')) {
  const [base, ...forms] = line.trim().split(/\s+/)
  if (base !== undefined) for (const form of forms) if (!BASE.has(form)) BASE.set(form, base)
}

/** `went` -> `go`, `mum` -> `mother`; any other word unchanged. Lower case in, lower case out. */
export function baseForm(word: string): string {
  return BASE.get(word) ?? word
}
