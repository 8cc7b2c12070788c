import { State } from '../../../kit/state'
import { useText } from '../../../text/catalogue'
import type { StoreStatus } from './model'

export function StoreState({ status: { status } }: { status: StoreStatus }) {
  const t = useText('connections')
  const tones = { OK: 'good', INCOMPLETE: 'warn', FAILING: 'bad' } as const
  return <State tone={tones[status]}>{t.storeStates[status][0]}</State>
}

/** Whether calls to the store are made, or paused because it did not answer. */
export function Circuit({ status: { circuit } }: { status: StoreStatus }) {
  const t = useText('connections')
  const tones = { CLOSED: 'good', HALF_OPEN: 'warn', OPEN: 'bad' } as const
  return (
    <span title={circuit}>
      <State tone={tones[circuit]}>{t.circuits[circuit]}</State>
    </span>
  )
}
