import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/schemas'
import { LinkButton } from '../../kit/button'
import { Code, CopyText } from '../../kit/copy'
import { Segmented } from '../../kit/tabs'
import { cx } from '../../lib/class-names'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { Buying, DEVICE } from './first-run-buy'

/** How far the project is. */
export interface Progress {
  first: Schemas['OverviewFirsts']
  publicKey: string | null
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  isLast?: boolean
  children: ReactNode
}

/** One step, with its number or a tick, and a line down to the next. */
const Step = ({ number, title, isDone, isLast = false, children }: StepProps) => {
  const t = useText('common')
  return (
    <li className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-4">
      <div className="grid grid-rows-[auto_1fr] justify-items-center">
        <span
          className={cx(
            'inline-flex size-7 items-center justify-center rounded-full text-sm font-semibold',
            isDone ? 'bg-accent text-on-accent' : 'border border-line-2 bg-surface text-ink-2',
          )}
        >
          {isDone ? <Check aria-hidden size={15} /> : number}
          {isDone && <span className="sr-only">{t.done}</span>}
        </span>
        {!isLast && <span aria-hidden className={cx('w-px', isDone ? 'bg-accent' : 'bg-line-2')} />}
      </div>
      <div className={cx('grid grid-cols-[minmax(0,1fr)] content-start gap-3 pt-1', !isLast && 'pb-8')}>
        <h2 className="text-md font-semibold">{title}</h2>
        {children}
      </div>
    </li>
  )
}

const readHealth = async (): Promise<{ version: string }> => (await fetch('/health')).json()

export function KeyStep({ publicKey }: Progress) {
  const t = useText('signIn')
  const { base } = useProject()
  const health = useQuery({ queryKey: ['/health'], queryFn: readHealth })
  return (
    <Step number={1} title={t.stepKey} isDone={publicKey !== null}>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
        {health.data && <span>{t.version(health.data.version, location.host)}</span>}
        {publicKey !== null && (
          <>
            <CopyText text={publicKey} shown={`${publicKey.slice(0, 14)}…${publicKey.slice(-4)}`} />
            <span className="text-ink-2">{t.publicKeyIsSafe}</span>
          </>
        )}
      </div>
      {publicKey === null && (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <span>{t.noKey}</span>
          <LinkButton href={`${base}/settings/api-keys`}>{t.makeKey}</LinkButton>
        </div>
      )}
    </Step>
  )
}

const LANGUAGES = ['curl', 'Web', 'iOS', 'Android', 'OpenFeature'] as const

type Language = (typeof LANGUAGES)[number]

/** The pages of the guide about the whole app, for the languages that have one. */
const PAGES: Partial<Record<Language, string>> = { Web: 'app-web', iOS: 'app-ios', Android: 'app-android' }

/** The first call in the language of the app. The device key is the one that the button of the next step uses. */
const callIn = (language: Language, url: string, key: string): string =>
  ({
    curl: `curl "${url}/v1/config?subscriberId=${DEVICE}" \\\n  -H "Authorization: Bearer ${key}"`,
    Web: `import { configure, refreshConfig } from '${url}/sdk/svc.js'\n\nawait configure({ apiKey: '${key}', baseUrl: '${url}' })\nawait refreshConfig()`,
    iOS: `var request = URLRequest(url: URL(string: "${url}/v1/config?subscriberId=${DEVICE}")!)\nrequest.setValue("Bearer ${key}", forHTTPHeaderField: "Authorization")\nlet (data, _) = try await URLSession.shared.data(for: request)`,
    Android: `val connection = URL("${url}/v1/config?subscriberId=${DEVICE}").openConnection()\nconnection.setRequestProperty("Authorization", "Bearer ${key}")\nval text = connection.getInputStream().bufferedReader().readText()`,
    OpenFeature: `curl "${url}/ofrep/v1/evaluate/flags" \\\n  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\\n  -d '{"context":{"targetingKey":"${DEVICE}"}}'`,
  })[language]

export function CallStep({ first, publicKey }: Progress) {
  const t = useText('signIn')
  const [language, setLanguage] = useState<Language>('curl')
  const page = PAGES[language]
  return (
    <Step number={2} title={t.stepCall} isDone={first.call !== null}>
      <div className="overflow-x-auto">
        <Segmented
          label={t.language}
          value={language}
          onChange={setLanguage}
          options={LANGUAGES.map((one) => [one, one] as const)}
        />
      </div>
      <Code text={callIn(language, location.origin, publicKey ?? 'svc_pub_…')} />
      {page !== undefined && (
        <a
          href={`/docs/guide/${page}`}
          target="_blank"
          rel="noreferrer"
          className="justify-self-start text-sm underline"
        >
          {t.wholeApp(language)}
        </a>
      )}
    </Step>
  )
}

export function PurchaseStep({ first, children }: Progress & { children: ReactNode }) {
  const t = useText('signIn')
  return (
    <Step number={3} title={t.stepPurchase} isDone={first.purchase !== null} isLast>
      <p className="text-sm text-ink-2">{t.purchaseHint}</p>
      <Buying isDone={first.purchase !== null} />
      {children}
    </Step>
  )
}
