import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { Batches } from './batch'
import { Chains, Renewals } from './chains'
import { alternate, type Measured, median, runRound } from './measure'
import { COMMITS, RECEIPTS, toPost } from './receipts'
import { growthRow, loadRow, type Row } from './report'
import { inCircles } from './requests'
import { deviceOf, latestOf } from './seed'
import { timeVerification } from './yardsticks'

/** The number of devices that post purchases which the server already knows. */
const KNOWN = 2000

/** Devices that start again: each posts a receipt that is known, or one that was renewed meanwhile. */
export async function benchReturning(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, template, committer } = arena
  const [verifyMs, commitMs]: [number[], number[]] = [[], []]
  const ofSmall = toLoads(arena, small)
  const ofLarge = large && toLoads(arena, large)
  const all = await alternate<string>(rounds, {
    known: () => {
      verifyMs.push(timeVerification(template.keys, ofSmall.receipts))
      commitMs.push(committer.time(COMMITS))
      return ofSmall.known()
    },
    ...(ofLarge ? { knownInLarge: ofLarge.known } : {}),
    renewed: ofSmall.renewed,
    ...(ofLarge ? { renewedInLarge: ofLarge.renewed } : {}),
  })
  return toRows(arena, all as Results, median(verifyMs.slice(1)), median(commitMs.slice(1)))
}

function toLoads(arena: Arena, deployment: Deployment) {
  const { template, seconds } = arena
  const chains = new Chains(template.keys)
  const indexes = spread(deployment, SMALL)
  const receipts = indexes.slice(0, KNOWN).map((index) => chains.sign(latestOf(template, index)))
  const next = inCircles(receipts.map((receipt, place) => toPost(arena, deviceOf(indexes[place] ?? 0), receipt)))
  // Taken from the other end of the list, so that the known receipts stay known.
  const renewing = indexes.slice(KNOWN)
  const renewals = new Renewals(
    chains,
    renewing.map((index) => latestOf(template, index)),
  )
  const batches = new Batches(deployment.server, seconds)
  const renewOne = () => {
    const { place, transaction } = renewals.next()
    return toPost(arena, deviceOf(renewing[place] ?? 0), chains.sign(transaction))
  }
  return {
    receipts,
    known: () => runRound(deployment.server, { next, durationMs: seconds * 1000 }),
    renewed: () => batches.send(batches.fill(renewOne)),
  }
}

type Results = Record<'known' | 'renewed', Measured> & { knownInLarge?: Measured; renewedInLarge?: Measured }

function toRows(arena: Arena, results: Results, verifyMs: number, commitMs: number): Row[] {
  const { known, renewed, knownInLarge, renewedInLarge } = results
  const verified = { value: 1000 / verifyMs, unit: 'req/s' as const }
  const committed = { value: 1000 / (verifyMs + commitMs), unit: 'req/s' as const }
  const sizes = sizesOf(arena)
  const [onceMore, later] = [`POST ${RECEIPTS}, returning device`, `POST ${RECEIPTS}, returning device, renewed since`]
  return [
    loadRow(`${onceMore} (yardstick: a verification)`, known, verified, null),
    loadRow(`${later} (yardstick: a verification and a commit)`, renewed, committed, null),
    ...(knownInLarge ? [growthRow(onceMore, sizes, known, knownInLarge)] : []),
    ...(renewedInLarge ? [growthRow(later, sizes, renewed, renewedInLarge)] : []),
  ]
}
