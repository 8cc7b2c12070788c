import { api, read } from '../../api/client'
import type { Schemas } from '../../api/schemas'
import { useEdit } from '../../kit/edit'
import { toast } from '../../kit/toast'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { FILE } from './use-catalogue'

type CurrencyView = Schemas['VirtualCurrency']

export interface CurrencyState {
  code: string
  name: string
  clawback: CurrencyView['clawback']
}

export const CURRENCIES = '/dashboard/projects/{projectId}/virtual-currencies'
export const CURRENCY = '/dashboard/projects/{projectId}/virtual-currencies/{id}'

const toState = ({ code, name, clawback }: CurrencyView): CurrencyState => ({ code, name, clawback })

/** The draft of a currency; null = a new one. */
export function useCurrencyEdit(currency: CurrencyView | null, onSaved: () => void) {
  const t = useText('catalogue')
  const common = useText('common')
  const { path } = useProject()
  return useEdit({
    name: `currency.${path.projectId}.${currency?.id ?? 'new'}`,
    saved: currency
      ? { value: toState(currency), revision: currency.revision }
      : { value: { code: '', name: '', clawback: null }, revision: null },
    lines: ({ code, name, clawback }: CurrencyState) => [
      { key: 'code', label: t.code, text: code },
      { key: 'name', label: common.name, text: name },
      { key: 'clawback', label: t.clawback, text: t.clawbacks[clawback ?? 'default'] },
    ],
    save: (state, header) =>
      currency
        ? api.patch(CURRENCY, { params: { path: { ...path, id: currency.id }, header }, body: state })
        : api.post(CURRENCIES, { params: { path }, body: state }),
    // A currency has no route of its own; the list is short.
    readNewest: async () => {
      const { items } = await read(CURRENCIES, { params: { path, query: { limit: 200 } } })
      const newest = items.find(({ id }) => id === currency?.id) ?? currency
      if (!newest) throw new Error('A new currency has no newer state.')
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [CURRENCIES, FILE],
    onSaved: ({ code }) => {
      toast(common.savedName(code))
      onSaved()
    },
  })
}
