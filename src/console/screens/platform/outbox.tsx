import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card, Facts } from '../../kit/card'
import { Code, CopyText, Id } from '../../kit/copy'
import { Dialog } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { State, type Tone } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { PlatformPage } from './platform-page'

type Mail = Schemas['Mail']
const STATES = ['QUEUED', 'SENT', 'KEPT', 'FAILED', 'SUPPRESSED'] as const satisfies readonly Mail['status'][]
const TONES: Record<Mail['status'], Tone> = {
  QUEUED: 'info',
  SENT: 'good',
  KEPT: 'warn',
  FAILED: 'bad',
  SUPPRESSED: 'mute',
}

/** Mails to people: sent, waiting, or kept because no mail server is set up. */
export default function Outbox() {
  const t = useText('platform')
  const c = useText('common')
  const [params, set] = useParams()
  const status = STATES.find((one) => one === params.get('status'))
  const list = useList('/admin/outbox', { params: { query: { ...(status && { status }) } } })
  const open = list.items.find(({ id }) => id === params.get('mail'))
  return (
    <PlatformPage
      title={t.outbox}
      purpose={t.outboxPurpose}
      filters={
        <FilterSelect
          label={c.state}
          value={status ?? ''}
          options={[['', c.all], ...STATES.map((one) => [one, t.mailState[one]] as const)]}
          onChange={(event) => set({ status: event.target.value || null })}
        />
      }
    >
      <Card flush>
        <DataTable
          label={t.outbox}
          list={list}
          keyOf={({ id }) => id}
          empty={<Empty title={t.noMails}>{t.noMailsHint}</Empty>}
          columns={[
            {
              title: t.subject,
              whole: ({ subject }) => subject,
              cell: ({ id, subject }) => (
                <button
                  type="button"
                  className="max-w-72 truncate font-medium text-accent hover:underline max-md:max-w-40"
                  onClick={() => set({ mail: id }, { push: true })}
                >
                  {subject}
                </button>
              ),
            },
            { title: t.to, isExtra: true, cell: ({ to }) => to, whole: ({ to }) => to },
            { title: c.state, cell: (mail) => <State tone={TONES[mail.status]}>{t.mailState[mail.status]}</State> },
            { title: c.createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      </Card>
      {open && <MailSheet mail={open} onClose={() => set({ mail: null })} />}
    </PlatformPage>
  )
}

function MailSheet({ mail, onClose }: { mail: Mail; onClose: () => void }) {
  const t = useText('platform')
  const c = useText('common')
  return (
    <Dialog kind="sheet" title={mail.subject} onClose={onClose}>
      <Facts
        items={[
          [t.to, <CopyText key="to" text={mail.to} />],
          [
            c.state,
            <State key="state" tone={TONES[mail.status]}>
              {t.mailState[mail.status]}
            </State>,
          ],
          [t.attempts, String(mail.attempts)],
          [c.createdAt, <Time key="created" at={mail.createdAt} absolute />],
          [t.sent, <Time key="sent" at={mail.sentAt} absolute />],
          [c.id, <Id key="id" id={mail.id} />],
        ]}
      />
      {mail.lastError !== null && <Code label={t.lastError} text={mail.lastError} />}
      {mail.text === null ? (
        <p className="text-sm text-ink-2">{t.textState[mail.textState]}</p>
      ) : (
        <Code label={t.text} text={mail.text} />
      )}
    </Dialog>
  )
}
