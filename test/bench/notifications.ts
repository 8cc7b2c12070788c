import { makeSimulatorKeys } from '../../src/stores/test-keys/keys'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { Batches } from './batch'
import { Chains, Renewals } from './chains'
import { alternate, type Measured, median, runRound } from './measure'
import { COMMITS } from './receipts'
import { growthRow, loadRow, type Row } from './report'
import { inCircles, toRequest } from './requests'
import { latestOf } from './seed'
import { timeNotification } from './yardsticks'

const RENEWED: NotificationKind = ['DID_RENEW', null]
const BOUGHT: NotificationKind = ['SUBSCRIBED', 'INITIAL_BUY']
/** Refused senders reach a rate limit (wire 6), after the same work. */
const REFUSED = ['401', '429']
const FORGED = 500

/**
 * Notifications of the iOS store: renewals of known purchases, the same again, purchases that no device has submitted
 * yet, and forged ones. Each new one is committed twice, raw and applied. It is compared with three verifications and
 * one commit.
 */
export async function benchNotifications(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, seconds, committer, template } = arena
  const [verifyMs, commitMs]: [number[], number[]] = [[], []]
  const known = new Stream(arena, small)
  const inLarge = large && new Stream(arena, large)
  const unknown = new Batches(small.server, seconds)
  const forged = { byNobody: await forgeries(arena), tampered: tamperedOnes(arena) }
  const refuse = (next: () => Uint8Array | null) =>
    runRound(small.server, { next, durationMs: (seconds * 1000) / 2, wanted: REFUSED })
  const all = await alternate<string>(rounds, {
    fresh: () => {
      const body = known.payloads()
      verifyMs.push(timeNotification(template.keys, body))
      commitMs.push(committer.time(COMMITS))
      return known.send(body)
    },
    again: () => known.repeat(),
    ...(inLarge ? { inLarge: () => inLarge.send(inLarge.payloads()) } : {}),
    unknown: () =>
      unknown.send(unknown.fill(() => toPost(arena, known.chains.notificationOf(BOUGHT, known.chains.buy())))),
    byNobody: () => refuse(forged.byNobody),
    tampered: () => refuse(forged.tampered),
  })
  return toRows(arena, all as Results, median(verifyMs.slice(1)), median(commitMs.slice(1)))
}

/** Renewals of the purchases of a deployment. */
class Stream {
  readonly chains: Chains
  private readonly renewals: Renewals
  private readonly batches: Batches

  constructor(
    private readonly arena: Arena,
    deployment: Deployment,
  ) {
    const starts = spread(deployment, SMALL).map((index) => latestOf(arena.template, index))
    this.chains = new Chains(arena.template.keys, `n${deployment.subscribers}`)
    this.renewals = new Renewals(this.chains, starts)
    this.batches = new Batches(deployment.server, arena.seconds)
  }

  /** Signed payloads for the next round. */
  payloads(): string[] {
    return this.batches.fill(() => this.chains.notificationOf(RENEWED, this.renewals.next().transaction))
  }

  send(body: readonly string[]) {
    return this.batches.send(body.map((signedPayload) => toPost(this.arena, signedPayload)))
  }

  repeat() {
    return this.batches.repeat()
  }
}

const toPost = ({ template }: Arena, signedPayload: string): Uint8Array =>
  toRequest('POST', `/webhooks/ios/${template.project.id}`, {}, { signedPayload })

/** Notifications with a root that is not trusted. */
async function forgeries(arena: Arena): Promise<() => Uint8Array | null> {
  const keys = await makeSimulatorKeys(Date.now())
  const chains = new Chains(arena.template.keys, 'forged')
  const forge = () => toPost(arena, chains.notificationOf(BOUGHT, chains.buy(), keys))
  return inCircles(Array.from({ length: FORGED }, forge))
}

/** Notifications with the right root and the signature of another notification: they pass every check but the last. */
function tamperedOnes(arena: Arena): () => Uint8Array | null {
  const chains = new Chains(arena.template.keys, 'tampered')
  const bodies = Array.from({ length: FORGED }, () => chains.notificationOf(BOUGHT, chains.buy()))
  return inCircles(
    bodies.map((one, index) => toPost(arena, `${bodyOf(one)}.${signatureOf(bodies.at(index - 1) ?? '')}`)),
  )
}

const bodyOf = (token: string): string => token.slice(0, token.lastIndexOf('.'))
const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1)

type Results = Record<'fresh' | 'again' | 'unknown' | 'byNobody' | 'tampered', Measured> & { inLarge?: Measured }

function toRows(arena: Arena, results: Results, verifyMs: number, commitMs: number): Row[] {
  const { fresh, again, unknown, byNobody, tampered, inLarge } = results
  arena.say(`three verifications ${verifyMs.toFixed(4)} ms, one synced commit ${commitMs.toFixed(4)} ms`)
  const verified = { value: 1000 / verifyMs, unit: 'req/s' as const }
  const committed = { value: 1000 / (verifyMs + commitMs), unit: 'req/s' as const }
  const what = 'POST /webhooks/ios/:projectId'
  return [
    loadRow(`${what}, renewal (yardstick: three verifications and a commit)`, fresh, committed, null),
    loadRow(`${what}, the same again (yardstick: three verifications)`, again, verified, null),
    loadRow(`${what}, unknown purchase`, unknown, committed, null),
    loadRow(`${what}, forged, root of nobody`, byNobody, verified, null),
    loadRow(`${what}, forged, signature of another`, tampered, verified, null),
    ...(inLarge ? [growthRow(`${what}, renewal`, sizesOf(arena), fresh, inLarge)] : []),
  ]
}
