import type { ReactNode } from 'react'
import { Dialog } from '../kit/dialog'
import { Switch } from '../kit/field'
import { commandKeys, singleKeys } from '../lib/keys'
import { useText } from '../text/catalogue'
import { ENTRIES } from './entries'
import { LETTERS } from './shortcuts'

/** `?`: every key, and the switch that turns single letters off. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useText('common')
  const isOn = singleKeys.use()
  const general: [string[], string][] = [
    [[commandKeys('K')], t.searchOrJump],
    [['/'], t.searchOrJump],
    [[commandKeys('J')], t.askAssistant],
    [['j'], t.keyNextRow],
    [['k'], t.keyRowBefore],
    [['Enter'], t.keyOpen],
    [['e'], t.keyEdit],
    [['x'], t.keySelect],
    [['c'], t.keyCopy],
    [['t'], t.keyTimes],
    [['Space'], t.keyPause],
    [['?'], t.shortcuts],
    [['Esc'], t.close],
  ]
  return (
    <Dialog title={t.shortcuts} onClose={onClose} isWide>
      <Switch checked={isOn} onChange={(on) => singleKeys.set(on)} label={t.keysOn} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-1 text-sm md:grid-cols-2">
        <dl className="grid content-start gap-1">
          {general.map(([keys, what]) => (
            <Pair key={keys.join('')} keys={keys}>
              {what}
            </Pair>
          ))}
        </dl>
        <dl className="grid content-start gap-1">
          {ENTRIES.map(({ name }) => (
            <Pair key={name} keys={['g', LETTERS[name]]}>
              {t[name]}
            </Pair>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}

const Pair = ({ keys, children }: { keys: string[]; children: ReactNode }) => (
  <div className="flex min-h-7 items-center justify-between gap-4">
    <dt>{children}</dt>
    <dd className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-chip border border-line-2 bg-raised px-1 font-sans text-2xs"
        >
          {key}
        </kbd>
      ))}
    </dd>
  </div>
)
