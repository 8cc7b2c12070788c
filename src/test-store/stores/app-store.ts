import type { InProcessStore } from '../../stores/in-process'
import { isSimulatedTransaction } from '../../stores/test-keys/ids'
import type { SimulatorKeys } from '../../stores/test-keys/keys'
import { type SimulatorContext, simulatorKeys } from '../../stores/test-keys/service'
import { type ApiRequest, answerApi, emptyFacts, readRequest } from './api-server'
import { signTransaction } from './ios'
import { type IosLife, renewalOf, turnIos } from './ios-life'
import { simulatedRenewalInfo } from './notification'
import { changeWorld, readLives, readStoreState, saveLife, tell } from './world'

/**
 * The iOS test store of a project. When it is switched off, it accepts calls about its ids and answers that they are
 * unknown.
 */
export function appStoreInProcess(ctx: SimulatorContext, projectId: string, isOn: boolean): InProcessStore {
  return {
    knows: isSimulatedTransaction,
    async fetch(request) {
      const read = await readRequest(request)
      if (!isOn) return answerApi({ ...emptyFacts(), bundleId: '' }, read)
      if ((await readStoreState(ctx, projectId)).trouble.isStoreDown) return new Response(null, { status: 503 })
      const id = decodeURIComponent(read.path.split('/').at(-1) ?? '')
      const life = (await readLives(ctx, projectId)).find((one) => one.store === 'ios' && isNamed(one, id))
      if (life?.store !== 'ios') return answerApi({ ...emptyFacts(), bundleId: '' }, read)
      const extendedTo = read.path.includes('/extend/') ? await extend(ctx, projectId, life.id, read) : null
      return answerApi(factsOf(await simulatorKeys(ctx, projectId), life, extendedTo), read)
    },
  }
}

const isNamed = ({ id, transaction }: IosLife, named: string): boolean =>
  id === named || transaction.transactionId === named

function factsOf(keys: SimulatorKeys, life: IosLife, extendedTo: number | null) {
  const { id, transaction, bundleId } = life
  const signedTransactionInfo = signTransaction(keys, transaction)
  const renewal = { ...simulatedRenewalInfo(transaction, ['', null]), ...renewalOf(life) }
  const status = {
    ...{ originalTransactionId: id, status: statusOf(life), signedTransactionInfo },
    ...{ signedRenewalInfo: signTransaction(keys, renewal), subscriptionGroupIdentifier: '21000000' },
  }
  return {
    ...emptyFacts(),
    bundleId,
    transactions: new Map([id, transaction.transactionId].map((key) => [key, signedTransactionInfo])),
    statuses: new Map([id, transaction.transactionId].map((key) => [key, status])),
    extensions: new Map(extendedTo === null ? [] : [[id, extendedTo]]),
  }
}

/** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. */
function statusOf({ isEnded, trouble, takenBack }: IosLife): 1 | 2 | 3 | 4 | 5 {
  if (takenBack !== null) return 5
  if (isEnded) return 2
  return trouble === 'NONE' ? 1 : trouble === 'GRACE' ? 4 : 3
}

/** The new end, or null when the store refuses the extension. */
function extend(ctx: SimulatorContext, projectId: string, id: string, { body }: ApiRequest): Promise<number | null> {
  const days = Number((body as { extendByDays?: unknown } | null)?.extendByDays)
  return changeWorld(ctx, projectId, async (world) => {
    const life = (await readLives(world.tx, projectId)).find((one) => one.id === id)
    if (life?.store !== 'ios') return null
    const { clock, ids } = world.tx
    const turned = turnIos(life, { turn: 'extend', now: clock.now(), nextSeed: () => ids.uuid(), days })
    const [extended] = turned.ok ? turned.lives : []
    if (!turned.ok || !extended) return null
    await saveLife(world, extended)
    await tell(world, extended, turned.told, extended.lastAt)
    return extended.transaction.expiresDate ?? null
  })
}
