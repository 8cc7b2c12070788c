import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Card } from '../../kit/card'
import { FormFailure } from '../../kit/failure'
import { Field, Select, Switch } from '../../kit/field'
import { Segmented } from '../../kit/tabs'
import { toast } from '../../kit/toast'
import { commandKeys, singleKeys } from '../../lib/keys'
import { useSession } from '../../lib/session'
import { useTimeZones } from '../../parts/time-zones'
import { setTheme } from '../../shell/theme'
import { LOCALES, setLocale, useLocale, useText } from '../../text/catalogue'

type Theme = 'SYSTEM' | 'LIGHT' | 'DARK'

/** Each language under its own name. */
const LANGUAGES = { en: 'English', tr: 'Türkçe', de: 'Deutsch', ja: '日本語' } as const

interface Change {
  locale?: string
  theme?: Theme
  timezone?: string
}

/** Language, theme and time zone apply at once. */
export function PreferencesCard() {
  const t = useText('account')
  const c = useText('common')
  const { preferences } = useSession()
  const locale = useLocale()
  const keys = singleKeys.use()
  const zones = useTimeZones(preferences.timezone)
  const action = useAction({
    run: (change: Change) => api.patch('/dashboard/me/preferences', { body: change }),
    refreshes: ['/dashboard/me/preferences'],
    onDone: (saved) => {
      setLocale(saved.locale)
      setTheme(saved.theme)
      toast(c.savedName(t.preferences))
    },
  })
  return (
    <Card title={t.preferences}>
      <div className="grid max-w-xl gap-5">
        <FormFailure error={action.error} />
        <Field label={c.language}>
          <Select
            value={locale}
            options={LOCALES.map((one) => [one, LANGUAGES[one]] as const)}
            onChange={(event) => action.submit({ locale: event.target.value })}
          />
        </Field>
        <div className="grid justify-items-start gap-1">
          <span className="text-sm font-medium">{c.theme}</span>
          <Segmented<Theme>
            label={c.theme}
            value={preferences.theme}
            onChange={(theme) => action.submit({ theme })}
            options={[
              ['SYSTEM', c.system],
              ['LIGHT', c.light],
              ['DARK', c.dark],
            ]}
          />
        </div>
        <Field label={t.timezone} hint={t.timezoneHint}>
          <Select
            value={preferences.timezone}
            options={zones}
            onChange={(event) => action.submit({ timezone: event.target.value })}
          />
        </Field>
        <div className="grid gap-1">
          <Switch checked={keys} onChange={singleKeys.set} label={t.singleKeys} />
          <p className="text-xs text-ink-2">{t.singleKeysHint(commandKeys('K'))}</p>
        </div>
      </div>
    </Card>
  )
}
