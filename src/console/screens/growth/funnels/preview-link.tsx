import { Eye } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { CopyText } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { FormFailure } from '../../../kit/failure'
import { Field, Select } from '../../../kit/field'
import { QrCode } from '../../../kit/qr-code'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import type { FunnelView } from './model'
import { useLanguageName } from './use-words'

interface PreviewLinkProps {
  funnel: FunnelView
  locales: readonly string[]
}

/** A link that shows the saved draft to anybody, also as a code for a phone. */
export function PreviewLink({ funnel, locales }: PreviewLinkProps) {
  const t = useText('funnels')
  const [act, setAct] = useParam('do')
  return (
    <>
      <Button icon={<Eye aria-hidden size={14} />} onClick={() => setAct('preview', { push: true })}>
        {t.preview}
      </Button>
      {act === 'preview' && <LinkDialog funnel={funnel} locales={locales} onClose={() => setAct(null)} />}
    </>
  )
}

const DAYS = [1, 3, 7] as const
const DAY_SECONDS = 86_400

function LinkDialog({ funnel, locales, onClose }: PreviewLinkProps & { onClose: () => void }) {
  const t = useText('funnels')
  const { path } = useProject()
  const languageName = useLanguageName()
  const [version, setVersion] = useState('draft')
  const [locale, setLocale] = useState('')
  const [days, setDays] = useState('1')
  const live = funnel.currentVersionNo
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/funnels/{id}/preview-link', {
        params: { path: { ...path, id: funnel.id } },
        body: {
          version: version === 'draft' ? 'draft' : Number(version),
          expiresIn: Number(days) * DAY_SECONDS,
          ...(locale !== '' && { locale }),
        },
      }),
  })
  return (
    <Dialog title={t.sharePreview} onClose={onClose}>
      <p className="text-sm text-ink-2">{t.previewHint}</p>
      <Field label={t.version}>
        <Select
          value={version}
          onChange={({ target }) => setVersion(target.value)}
          options={[['draft', t.savedDraft], ...(live === null ? [] : [[`${live}`, t.liveVersion(live)] as const])]}
        />
      </Field>
      <Field label={t.language}>
        <Select
          value={locale}
          onChange={({ target }) => setLocale(target.value)}
          options={[['', t.ofTheBrowser], ...locales.map((one) => [one, languageName(one)] as const)]}
        />
      </Field>
      <Field label={t.endsAfter}>
        <Select
          value={days}
          onChange={({ target }) => setDays(target.value)}
          options={DAYS.map((count) => [`${count}`, t.days(count)] as const)}
        />
      </Field>
      <FormFailure error={action.error} />
      {action.result && <Made url={action.result.url} expiresAt={action.result.expiresAt} />}
      <div className="flex justify-end">
        <Button variant="primary" busy={action.busy} onClick={() => action.submit(undefined)}>
          {t.makeLink}
        </Button>
      </div>
    </Dialog>
  )
}

function Made({ url, expiresAt }: { url: string; expiresAt: string }) {
  const t = useText('funnels')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-3">
      <QrCode text={url} label={t.previewCode} />
      <CopyText text={url} />
      <p className="text-sm text-ink-2">
        <a href={url} target="_blank" rel="noopener noreferrer" className="text-accent hover:underline">
          {t.openPreview}
        </a>{' '}
        · {t.ends} <Time at={expiresAt} absolute />
      </p>
    </div>
  )
}
