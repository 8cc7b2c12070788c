import { DAY } from '../../../base/lib/clock'
import type { ExperimentFacts } from './facts'
import type { SampleRatio } from './proportions'
import { type Judged, judge, type Reading } from './readings'

export interface Recommendation {
  action: 'KEEP_RUNNING' | 'SHIP' | 'KEEP_CONTROL' | 'STOP'
  reason: 'MIN_DURATION' | 'NOT_ENOUGH_DATA' | 'SRM' | 'CROSSOVER' | 'REFUND_GUARD' | 'SHIP' | 'NO_WINNER'
  /** The advice in plain English, with the numbers that decided it. */
  sentence: string
}

const MIN_DAYS = 7
const MIN_EXPOSURES = 100
const MAX_CROSSOVER = 0.001
const REFUND_MARGIN_PERCENT = 25

/**
 * What to do, by the first of these that applies: SRM (the split is wrong, so no number is valid); too early; too few
 * exposures; CROSSOVER (subscribers changed their variant); then the two readings. The frequentist reading asks whether
 * a variant is better than the control, the Bayesian reading asks how much is lost by choosing it. They can differ: a
 * safe variant need not be better (all are equal), and a better one need not be safe (a second one is as good). Neither
 * overrules the other:
 * - SHIP only when both agree on the same variant: it is safe, and significantly better (0.05 shared among the
 *   challengers);
 * - NO_WINNER only when the control is safe. Then no challenger is significantly better: losses have the same order as
 *   the rates, so that challenger would be safer still, and the winner;
 * - everything else is NOT_ENOUGH_DATA: with more exposures both readings come to the same answer.
 */
export function recommend(reading: Reading): Recommendation {
  const { facts, srm } = reading
  if (srm.isMismatch && srm.isReliable) return stop('SRM', mismatch(srm))
  const early = tooEarly(reading)
  if (early) return wait(facts, 'MIN_DURATION', early)
  const few = facts.variants.find(({ exposures }) => exposures < MIN_EXPOSURES)
  if (few)
    return wait(facts, 'NOT_ENOUGH_DATA', `${few.name} has ${count(few.exposures)} of ${MIN_EXPOSURES} exposures.`)
  const exposed = facts.variants.reduce((sum, { exposures }) => sum + exposures, facts.removed)
  const crossovers = facts.crossovers + facts.removed
  if (crossovers > exposed * MAX_CROSSOVER) return stop('CROSSOVER', crossed(crossovers, exposed))
  return decide(facts, judge(reading))
}

const mismatch = ({ pValue }: SampleRatio): string =>
  `exposures are not split as the weights say (${atMost('p', pValue)}), so the variants cannot be compared.`

const crossed = (crossovers: number, exposed: number): string =>
  `${count(crossovers)} of ${count(exposed)} exposed subscribers (${percent(crossovers / exposed)}) changed variant, and at most ${percent(MAX_CROSSOVER)} may.`

function tooEarly({ facts: { startedAt, completedAt }, now }: Reading): string | null {
  if (startedAt === null) return 'nothing has been measured yet.'
  const days = Math.max(0, Math.floor(((completedAt ?? now) - startedAt) / DAY))
  return days < MIN_DAYS ? `${days} of ${MIN_DAYS} full days ${days === 1 ? 'has' : 'have'} passed.` : null
}

function decide(facts: ExperimentFacts, [control, ...challengers]: Judged[]): Recommendation {
  const byLoss = challengers.toSorted((a, b) => a.chances.expectedLoss - b.chances.expectedLoss)
  const [best] = byLoss
  if (!control || !best) return wait(facts, 'NOT_ENOUGH_DATA', 'there is nothing to compare.')
  const winners = byLoss.filter(({ isSafe, isSignificant }) => isSafe && isSignificant)
  const shippable = winners.find((winner) => passesRefundGuard(control, winner))
  if (shippable) return ship(control, shippable)
  if (winners[0]) return refuse(control, winners[0])
  if (control.isSafe) return keep(control, best)
  return wait(facts, 'NOT_ENOUGH_DATA', undecided(control, best))
}

// In whole numbers, because the limit is exact. Where the control has no refund, any refund exceeds the limit.
function passesRefundGuard({ matured: control }: Judged, { matured: winner }: Judged): boolean {
  if (winner.refunds === 0) return true
  return winner.refunds * control.purchases * 100 < control.refunds * winner.purchases * (100 + REFUND_MARGIN_PERCENT)
}

const refundShare = ({ matured }: Judged): number => (matured.purchases === 0 ? 0 : matured.refunds / matured.purchases)

const rates = (control: Judged, other: Judged): string =>
  `${percent(other.rate)} converted, against ${percent(control.rate)} of ${control.name}`

const versus = (control: Judged, other: Judged): string => `${rates(control, other)} (${atMost('p', other.pValue)})`

const stop = (reason: 'SRM' | 'CROSSOVER', why: string): Recommendation => ({
  ...{ action: 'STOP', reason, sentence: `Stop and look for a fault: ${why}` },
})

const ship = (control: Judged, winner: Judged): Recommendation => ({
  ...{ action: 'SHIP', reason: 'SHIP' },
  sentence: `Ship ${winner.name}: ${versus(control, winner)}.`,
})

const refuse = (control: Judged, winner: Judged): Recommendation => ({
  ...{ action: 'KEEP_CONTROL', reason: 'REFUND_GUARD' },
  sentence: `Do not ship ${winner.name}: more convert, but ${percent(refundShare(winner))} of its purchases were refunded, against ${percent(refundShare(control))} of ${control.name}.`,
})

const keep = (control: Judged, best: Judged): Recommendation => ({
  ...{ action: 'KEEP_CONTROL', reason: 'NO_WINNER' },
  sentence: `Keep ${control.name}: no variant is worth a change; of ${best.name}, the best other, ${versus(control, best)}.`,
})

function undecided(control: Judged, best: Judged): string {
  if (best.rate <= control.rate)
    return `no variant leads ${control.name} so far, but that is not certain enough to stop.`
  if (!best.isTestable) return `${best.name} leads, but the counts are too small to test: ${rates(control, best)}.`
  if (best.isSignificant) return `${best.name} leads, but is not surely the best yet: ${versus(control, best)}.`
  const chance = `${atMost('p', best.pValue)}, needed is below ${Number(best.needed.toPrecision(3))}`
  return `${best.name} leads, but that can still be chance: ${rates(control, best)} (${chance}).`
}

function wait(facts: ExperimentFacts, reason: 'MIN_DURATION' | 'NOT_ENOUGH_DATA', why: string): Recommendation {
  const control = facts.variants[0]?.name ?? 'the control'
  const openings = {
    DRAFT: 'Start the experiment',
    RUNNING: 'Keep running',
    PAUSED: 'Resume the experiment',
    COMPLETED: `Keep ${control}, the experiment ended too early to tell`,
  }
  const action = facts.status === 'COMPLETED' ? 'KEEP_CONTROL' : 'KEEP_RUNNING'
  return { action, reason, sentence: `${openings[facts.status]}: ${why}` }
}

/** A share of 1 as a reader sees it, three digits: 0.10825 -> `10.8%`, 0.0005 -> `0.05%`. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(3))}%`

/** A count with its thousands apart: 12000 -> `12,000`. */
const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',')

/** A probability that is small where it convinces: `p = 0.036`, `p < 0.001`. */
const atMost = (name: string, value: number): string =>
  value < 0.001 ? `${name} < 0.001` : `${name} = ${Number(value.toPrecision(2))}`
