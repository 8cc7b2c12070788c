import { Plus } from 'lucide-react'
import { Button } from '../../../kit/button'
import { Switch } from '../../../kit/field'
import { Dot } from '../../../kit/state'
import { useText } from '../../../text/catalogue'
import { type CardProps, EnvironmentBody } from './environment-body'
import { blankOf } from './model'

const TONES = { PROD: 'good', STAGING: 'warn', DEVELOPMENT: 'info' } as const

/** One environment: its switch, its rules, what everybody else gets. */
export function EnvironmentCard(props: CardProps) {
  const { env, edit, onChange } = props
  const t = useText('growth')
  const { type, environments } = edit.draft.value
  const state = environments[env]
  const start = () => onChange({ isEnabled: false, defaultValue: blankOf(type), rules: [] })
  return (
    <section
      aria-label={t.environments[env]}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] rounded-card border border-line bg-surface shadow-card"
    >
      <header className="flex min-h-12 items-center justify-between gap-3 px-4">
        <h2 className="inline-flex items-center gap-2.5 text-sm font-semibold">
          <Dot tone={TONES[env]} />
          {t.environments[env]}
        </h2>
        {state && (
          <Switch
            checked={state.isEnabled}
            label={
              <>
                <span className="sr-only">{t.environments[env]} </span>
                {state.isEnabled ? t.on : t.off}
              </>
            }
            onChange={(isEnabled) => onChange({ ...state, isEnabled })}
          />
        )}
      </header>
      {state ? (
        <EnvironmentBody {...props} state={state} />
      ) : (
        <div className="grid content-start justify-items-start gap-3 px-4 pb-4 text-sm text-ink-2">
          <p>{t.notInEnvironment}</p>
          <Button icon={<Plus aria-hidden size={14} />} onClick={start}>
            {t.addTo(t.environments[env])}
          </Button>
        </div>
      )}
    </section>
  )
}
