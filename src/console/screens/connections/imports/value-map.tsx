import { Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../../kit/button'
import { Select, TextInput } from '../../../kit/field'
import { useText } from '../../../text/catalogue'
import { Group } from '../shared/group'
import type { Draft } from './mapping-draft'
import { STORE_OF, STORE_WORDS } from './model'

interface ValueMapProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

/** What the file calls each store. */
export function ValueMap({ draft, onChange }: ValueMapProps) {
  const t = useText('moving')
  const common = useText('common')
  const { stores } = draft
  const set = (next: Draft['stores']) => onChange({ ...draft, stores: next })
  return (
    <Group legend={t.valueMap} name="valueMap" hint={t.valueMapHint}>
      {stores.map(([value, word], index) => (
        <div key={index} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2">
          <TextInput
            aria-label={t.valueInFile}
            value={value}
            onChange={({ target }) => set(stores.with(index, [target.value, word]))}
            className="font-mono text-xs"
          />
          <Select
            aria-label={t.storeColumn}
            value={word}
            onChange={({ target }) => set(stores.with(index, [value, target.value]))}
            options={STORE_WORDS.map((one) => [one, common.storeNames[STORE_OF[one]]])}
          />
          <IconButton label={`${common.remove} ${value}`} onClick={() => set(stores.toSpliced(index, 1))}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button onClick={() => set([...stores, ['', 'ios_store']])}>{t.addValue}</Button>
      </div>
    </Group>
  )
}
