import type { FiredWhy } from '../trace-contract'
import type { EntryPlan } from './compile'
import type { Draw } from './draws'
import type { BookScan } from './hits'

/** An entry that wants in, before groups, probability and budget. */
export interface Candidate {
  /** Number over all books: book order, then file order. */
  number: number
  scan: BookScan
  plan: EntryPlan
  why: FiredWhy
  sticky: boolean
}

export interface GroupLoss {
  group: string
  /** Who is in instead. */
  to: string
}

export interface GroupRules {
  /** Members that came in with an earlier sweep, by single group name. */
  taken: ReadonlyMap<string, string>
  draw: Draw
  scores(candidate: Candidate): boolean
  score(candidate: Candidate): number
}

/** Where the group stands or falls: name, candidates left in it, and a way to put one out. */
interface Contest {
  group: string
  members: Candidate[]
  lose(candidate: Candidate, to: string): void
}

const titleOf = (candidate: Candidate) => candidate.plan.entry.comment || candidate.plan.entry.id

function keepOnly(contest: Contest, winner: Candidate): void {
  for (const member of contest.members) if (member !== winner) contest.lose(member, titleOf(winner))
}

/** Members that take part in scoring and have fewer hits than the best go. */
function dropLowScores(contest: Contest, rules: GroupRules): Candidate[] {
  if (contest.members.length < 2 || !contest.members.some((member) => rules.scores(member))) return contest.members
  const scores = contest.members.map((member) => rules.score(member))
  const most = scores.reduce((a, b) => Math.max(a, b), 0)
  const best = contest.members[scores.indexOf(most)]
  return contest.members.filter((member, index) => {
    if (!best || !rules.scores(member) || (scores[index] ?? 0) >= most) return true
    contest.lose(member, titleOf(best))
    return false
  })
}

/** First member whose running sum of weights reaches the roll; a weight of 0 is never picked while another is there. */
function weighted(contest: Contest, draw: Draw): Candidate | undefined {
  const weightOf = (member: Candidate) => Math.max(0, Number(member.plan.entry.groupWeight) || 0)
  const heavy = contest.members.filter((member) => weightOf(member) > 0)
  const roll = draw(`group ${contest.group}`) * heavy.reduce((sum, member) => sum + weightOf(member), 0)
  let sum = 0
  for (const member of heavy) {
    sum += weightOf(member)
    if (sum >= roll) return member
  }
  return heavy.at(-1) ?? contest.members[0]
}

/** A group with members that are on already keeps all of those and no other. */
function leaveToSticky(contest: Contest): boolean {
  const sticky = contest.members.find((member) => member.sticky)
  if (!sticky) return false
  for (const member of contest.members) if (!member.sticky) contest.lose(member, titleOf(sticky))
  return true
}

/** A member that came in with an earlier sweep leaves no place. */
function leaveToTaken(contest: Contest, taken: string | undefined): boolean {
  if (taken === undefined) return false
  for (const member of contest.members) contest.lose(member, taken)
  return true
}

function settle(contest: Contest, rules: GroupRules): void {
  const members = dropLowScores(contest, rules)
  const left = { ...contest, members }
  if (members.length < 2) return
  const prioritised = members.filter((member) => member.plan.entry.prioritise)
  const winner =
    prioritised.length > 0
      ? prioritised.reduce((best, member) => (member.plan.order > best.plan.order ? member : best))
      : weighted(left, rules.draw)
  if (winner) keepOnly(left, winner)
}

/**
 * Settles every inclusion group of one sweep. Who is out of one group is out of all; nobody else is touched. Groups that
 * are decided already come first: nobody may lose to an entry that these have put out.
 */
export function settleGroups(candidates: readonly Candidate[], rules: GroupRules): Map<Candidate, GroupLoss> {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    for (const name of candidate.plan.groups) {
      const members = groups.get(name)
      if (members) members.push(candidate)
      else groups.set(name, [candidate])
    }
  }
  const lost = new Map<Candidate, GroupLoss>()
  const contestOf = (group: string, members: Candidate[]): Contest => ({
    group,
    members: members.filter((member) => !lost.has(member)),
    lose: (member, to) => lost.set(member, { group, to }),
  })
  const undecided = [...groups].filter(([group, members]) => !leaveToSticky(contestOf(group, members)))
  const open = undecided.filter(([group, members]) => !leaveToTaken(contestOf(group, members), rules.taken.get(group)))
  for (const [group, members] of open) settle(contestOf(group, members), rules)
  return lost
}
