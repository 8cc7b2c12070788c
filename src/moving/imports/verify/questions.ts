import type { Context } from '../../../base/context'
import { RECONCILED } from '../../../intake/reconcile/stores'
import type { ProjectState } from '../../../projects/project/state'
import { isSimulatedPayment, isSimulatedToken, isSimulatedTransaction } from '../../../stores/test-keys/ids'
import type { ImportProof } from '../tables'
import { askAndroid } from './android'
import { askIos } from './ios'
import type { AskedStore } from './meter'
import type { AnchorRow, Answer, Run } from './model'
import { askPayment } from './payment'

/** How each store is asked about an anchor. */
export const ASK: Readonly<Record<AskedStore, (run: Run, anchor: AnchorRow) => Promise<Answer>>> = {
  IOS_STORE: askIos,
  ANDROID_STORE: askAndroid,
  PAYMENT: askPayment,
}

/** Whether the project has credentials of the store. */
export const hasKey = async (ctx: Context, project: ProjectState, store: AskedStore): Promise<boolean> =>
  (await RECONCILED[store]?.canAsk(ctx, project)) ?? false

/** The note of an anchor when the project has no credentials of its store. */
export const NO_KEY: Readonly<Record<AskedStore, string>> = {
  IOS_STORE: 'the project has no in-app purchase key',
  ANDROID_STORE: 'the project has no service account',
  PAYMENT: 'the project has no payment account',
}

/** A signed transaction proves itself, and the test store answers without a key. */
export function needsNoKey(proof: ImportProof): boolean {
  switch (proof.kind) {
    case 'RECEIPT':
      return true
    case 'PURCHASE_TOKEN':
      return isSimulatedToken(proof.token)
    case 'PROVIDER':
      return isSimulatedPayment(proof.id)
    case 'ORIGINAL_TRANSACTION':
      return isSimulatedTransaction(proof.id)
    case 'ORDER':
      return isSimulatedToken(proof.id)
  }
}
