import { ArrowLeftRight } from 'lucide-react'
import type { FlagEnvironment, FlagType } from '../../../../core/flag/names'
import { Button } from '../../../kit/button'
import { cx } from '../../../lib/class-names'
import { useParams } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import type { FlagState } from './model'
import { useWords } from './use-words'
import { ValueInput } from './value-input'
import { differencesBetween } from './words'

interface DefaultValueProps {
  env: FlagEnvironment
  type: FlagType
  value: unknown
  known: readonly unknown[]
  /** It is what the chosen person gets. */
  isAnswer: boolean
  onChange: (value: unknown) => void
}

/** What those get whom no rule gives a value. */
export function DefaultValue({ env, type, value, known, isAnswer, onChange }: DefaultValueProps) {
  const t = useText('growth')
  return (
    <div
      className={cx(
        'grid items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-sm',
        type === 'JSON' ? 'grid-cols-[minmax(0,1fr)]' : 'grid-cols-[minmax(0,1fr)_minmax(0,1fr)]',
        isAnswer && 'bg-accent-soft',
      )}
    >
      {type !== 'JSON' && <span className="text-ink-2">{t.everybodyElse}</span>}
      <ValueInput
        label={type === 'JSON' ? t.everybodyElse : `${t.environments[env]}, ${t.everybodyElse}`}
        type={type}
        value={value}
        known={known}
        onChange={onChange}
      />
    </div>
  )
}

/** How far an environment is from the next one. */
export function Differences({ env, flag }: { env: FlagEnvironment; flag: FlagState }) {
  const t = useText('growth')
  const words = useWords()
  const [, setParams] = useParams()
  const other = env === 'STAGING' ? 'PROD' : 'STAGING'
  const count = differencesBetween(env, other, flag, words).length
  return (
    <footer className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-t border-line px-4 text-sm text-ink-2">
      <span>{t.differences(count, t.environments[other])}</span>
      <Button
        variant="quiet"
        icon={<ArrowLeftRight aria-hidden size={14} />}
        onClick={() => setParams({ do: 'compare', in: env }, { push: true })}
      >
        {t.compare}
        <span className="sr-only">{t.environments[env]}</span>
      </Button>
    </footer>
  )
}
