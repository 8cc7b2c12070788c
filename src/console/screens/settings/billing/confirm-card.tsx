import { useEffect, useRef, useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { CopyText } from '../../../kit/copy'
import { FormFailure } from '../../../kit/failure'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useLocale, useText } from '../../../text/catalogue'
import { BILLING, type Billing, CHANGED } from './billing-model'

interface ConfirmProps {
  secret: string
  kind: 'payment' | 'setup'
  billing: Billing
  onDone: () => void
}

/** What is still to be done at the provider: its card form, or at the test store a command. */
export function ConfirmCard({ secret, kind, billing, onDone }: ConfirmProps) {
  const t = useText('billing')
  const { path } = useProject()
  const action = useAction({
    run: () => api.post(`${BILLING}/refresh`, { params: { path }, body: {} }),
    refreshes: CHANGED,
    onDone: () => {
      toast(t.providerAsked)
      onDone()
    },
  })
  const ask = () => action.submit(undefined)
  return (
    <>
      <p className="text-sm text-ink-2">{kind === 'payment' ? t.confirmPayment : t.confirmCard}</p>
      <FormFailure error={action.error} />
      {billing.publishableKey === null ? (
        <TestCommand secret={secret} />
      ) : (
        <CardFrame {...{ secret, kind }} onDone={ask} />
      )}
      <div className="flex justify-end border-t border-line pt-4">
        <Button variant={billing.publishableKey === null ? 'primary' : 'plain'} busy={action.busy} onClick={ask}>
          {t.askProvider}
        </Button>
      </div>
    </>
  )
}

function TestCommand({ secret }: { secret: string }) {
  const t = useText('billing')
  const { project } = useProject()
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-ink-2">{t.testConfirm}</p>
      <CopyText text={`svc simulate billing confirm --secret ${secret} --card visa --project ${project.slug}`} />
    </div>
  )
}

interface Told {
  from?: string
  isReady?: boolean
  isDone?: boolean
  height?: number
}

const FRAME = '/billing/card-form'
const FIRST_HEIGHT = 360
const LARGEST_HEIGHT = 1200

/** The provider's form is a document of its own, with a policy of its own: this page loads no script of others. */
function CardFrame({ secret, kind, onDone }: Pick<ConfirmProps, 'secret' | 'kind' | 'onDone'>) {
  const t = useText('billing')
  const language = useLocale()
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(FIRST_HEIGHT)
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    const words = { language, send: t.sendCard, unavailable: t.formUnavailable, declined: t.cardDeclined }
    const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark'
    const hear = ({ source, origin, data }: MessageEvent<Told | null>) => {
      const inside = frame.current?.contentWindow
      if (!inside || source !== inside || origin !== location.origin || data?.from !== 'svc-card') return
      if (data.isReady) inside.postMessage({ to: 'svc-card', secret, kind, words, isDark }, location.origin)
      if (typeof data.height === 'number') setHeight(Math.min(LARGEST_HEIGHT, Math.max(data.height, 80)))
      if (data.isDone) done.current()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [secret, kind, language, t])
  return <iframe ref={frame} src={FRAME} title={t.cardForm} style={{ height }} className="w-full border-0" />
}
