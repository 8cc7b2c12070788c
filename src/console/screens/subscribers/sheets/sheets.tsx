import { useParams } from '../../../lib/url-state'
import { RefundSheet } from '../../../parts/refund'
import { usePerson } from '../../../parts/use-person'
import type { AsOf } from '../person/as-of'
import { AttributesSheet } from './attributes'
import { ChainSheet } from './chain'
import { CreditsSheet } from './credits'
import { DataRequestSheet } from './data-request'
import { GrantSheet } from './grant'
import { LedgerSheet } from './ledger'
import { ScheduleSheet } from './schedule'
import { TransferSheet } from './transfer'

/** The sheet that is open over the person, by the address. */
export function Sheets({ asOf, access }: { asOf: AsOf; access: string | undefined }) {
  const [values, set] = useParams()
  const { erased, mergedInto } = usePerson()
  const sheet = values.get('do')
  const onClose = () => set({ do: null })
  if (sheet === 'chain')
    return access === undefined ? null : <ChainSheet access={access} asOf={asOf} onClose={onClose} />
  if (sheet === 'ledger') return <LedgerSheet onClose={onClose} />
  if (sheet === 'dsar') return <DataRequestSheet onClose={onClose} />
  if (erased || mergedInto !== null) return null
  if (sheet === 'grant') return <GrantSheet onClose={onClose} />
  if (sheet === 'credits') return <CreditsSheet onClose={onClose} />
  if (sheet === 'refund') return <RefundSheet onClose={onClose} />
  if (sheet === 'schedule') return <ScheduleSheet onClose={onClose} />
  if (sheet === 'transfer') return <TransferSheet onClose={onClose} />
  if (sheet === 'attributes') return <AttributesSheet onClose={onClose} />
  return null
}
