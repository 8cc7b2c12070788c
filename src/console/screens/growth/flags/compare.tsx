import { ENVIRONMENTS, type FlagEnvironment } from '../../../../core/flag/names'
import { Button } from '../../../kit/button'
import { ChangeTable } from '../../../kit/changes'
import { Dialog } from '../../../kit/dialog'
import { Select } from '../../../kit/field'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import type { EnvironmentState, FlagState } from './model'
import { useWords } from './use-words'
import { differencesBetween } from './words'

interface CompareDialogProps {
  env: FlagEnvironment
  flag: FlagState
  onCopy: (env: FlagEnvironment, state: EnvironmentState | null) => void
  onClose: () => void
}

/** What differs between two environments; one can be made equal to the other in the draft. */
export function CompareDialog({ env, flag, onCopy, onClose }: CompareDialogProps) {
  const t = useText('growth')
  const words = useWords()
  const others = ENVIRONMENTS.filter((one) => one !== env)
  const fallback = env === 'STAGING' ? 'PROD' : 'STAGING'
  const [chosen, choose] = useParam('with', fallback)
  const other = others.find((one) => one === chosen) ?? fallback
  const differences = differencesBetween(env, other, flag, words)
  const [here, there] = [t.environments[env], t.environments[other]]
  const copy = () => {
    onCopy(env, structuredClone(flag.environments[other]))
    onClose()
  }
  return (
    <Dialog title={t.compareWith(here)} onClose={onClose} isWide>
      <Select
        aria-label={t.otherEnvironment}
        data-first
        value={other}
        onChange={({ target }) => choose(target.value)}
        options={others.map((one) => [one, t.environments[one]] as const)}
      />
      {differences.length === 0 ? (
        <p className="text-sm text-ink-2">{t.noDifferences}</p>
      ) : (
        <>
          <p className="text-sm text-ink-2">{t.compareColumns(there, here)}</p>
          <ChangeTable changes={differences} />
          <div className="flex justify-end">
            <Button onClick={copy}>{t.copyFrom(there, here)}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
